import {
  type CompileCheck,
  createRecordChecks,
} from '../../../core/datasets/fixture/schema-checks.js';
import type { OpenApiDocument } from '../../../core/openapi/route-table.js';
import { wholeControlDocument } from '../../../mock/control-plane/control-document.js';

/**
 * Reads the package's OpenAPI documents, with their servers below the base path, and creates the
 * checks of records from their schemas. The control plane's document is read when first needed.
 */
export function documentsBelow(
  basePath: string,
  read: (file: 'openapi.yaml' | 'control.openapi.yaml') => OpenApiDocument,
  compile?: CompileCheck,
) {
  const service = below(basePath, read('openapi.yaml'));
  let whole: OpenApiDocument | undefined;
  const control = () => {
    whole ??= wholeControlDocument(below(basePath, read('control.openapi.yaml')), service);
    return whole;
  };
  const checks = createRecordChecks(
    schemasOf(service),
    () => schemasOf(control()),
    service.paths,
    compile,
  );
  return { service, control, checks };
}

function below(basePath: string, document: OpenApiDocument): OpenApiDocument {
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
