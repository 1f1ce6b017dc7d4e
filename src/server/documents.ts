import { wholeControlDocument } from '../control-plane/control-document.js';
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

/** Reads the OpenAPI documents of the package; their servers are below the base path. */
export function readDocuments(basePath: string): Documents {
  const service = readDocument('openapi.yaml', basePath);
  const control = once(() =>
    wholeControlDocument(readDocument('control.openapi.yaml', basePath), service),
  );
  const checks = createRecordChecks(schemasOf(service), () => schemasOf(control()), service.paths);
  return { service, control, checks };
}

function readDocument(file: string, basePath: string): OpenApiDocument {
  const document = readPackageYaml(file) as OpenApiDocument;
  if (basePath === '') return document;
  const servers = document.servers?.map((server) => ({
    ...server,
    url: basePath + server.url.replace(/\/$/, ''),
  }));
  return { ...document, ...(servers && { servers }) };
}

function schemasOf({ components }: OpenApiDocument): object {
  return components?.schemas ?? {};
}
