import { refuseUnlisted } from '../datasets/fixture/record-checks.js';
import type { OpenApiDocument } from '../openapi/route-table.js';

/** The file of the service's document, as the control plane's document refers to it. */
const SERVICE = '"openapi.yaml#/';

/**
 * The document of the control plane as a whole: with the schemas of the service that it refers to.
 * What a test writes into a record must be listed there, as in a fixture.
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
