import { wholeControlDocument } from '../control-plane/document.js';
import { createRecordChecks, type RecordChecks } from '../datasets/fixture/record-checks.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import { once } from './once.js';
import { readPackageYaml } from './package-files.js';

/** The OpenAPI documents of the package. */
interface Documents {
  readonly service: OpenApiDocument;
  /** That of the control plane, read when it is first needed. */
  readonly control: () => OpenApiDocument;
  /** The checks of records by the schemas of both. */
  readonly checks: RecordChecks;
}

/** Reads the OpenAPI documents of the package. */
export function readDocuments(): Documents {
  const service = readPackageYaml('openapi.yaml') as OpenApiDocument;
  const control = once(() =>
    wholeControlDocument(readPackageYaml('control.openapi.yaml') as OpenApiDocument, service),
  );
  const checks = createRecordChecks(schemasOf(service), () => schemasOf(control()), service.paths);
  return { service, control, checks };
}

function schemasOf({ components }: OpenApiDocument): object {
  return components?.schemas ?? {};
}
