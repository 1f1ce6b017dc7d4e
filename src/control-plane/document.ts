import { refuseUnlisted } from '../datasets/fixture/record-checks.js';
import type { OpenApiDocument } from '../openapi/route-table.js';

/** The file of the service's document, as the control plane's document refers to it. */
const SERVICE = '"openapi.yaml#/';

/**
 * The whole document of the control plane: with the schemas of the service that it refers to. As in a
 * fixture, the schemas must list every member that a test writes into a record.
 */
export function wholeControlDocument(
  control: OpenApiDocument,
  service: OpenApiDocument,
): OpenApiDocument {
  const document = JSON.parse(
    JSON.stringify(control).replaceAll(SERVICE, '"#/'),
  ) as OpenApiDocument;
  const schemas = refuseUnlisted(service.components?.schemas) as object;
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...schemas, ...document.components?.schemas },
    },
  };
}
