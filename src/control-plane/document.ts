import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { RESOURCE_NAMES, type ResourceName, SCHEMA_OF } from '../billing/resources.js';
import { refuseUnlisted } from '../datasets/fixture/record-checks.js';
import { METHODS, type OpenApiDocument } from '../openapi/route-table.js';
import { commonErrors, errorsOf } from './describe-errors.js';

/** The file of the service's document, as the control plane's document refers to it. */
const SERVICE = '"openapi.yaml#/';

/**
 * The whole document of the control plane: with the schemas of the service that it refers to, and the
 * errors that any operation may meet. As in a fixture, the schemas must list every member that a test
 * writes into a record.
 */
export function wholeControlDocument(
  control: OpenApiDocument,
  service: OpenApiDocument,
): OpenApiDocument {
  const document = JSON.parse(
    JSON.stringify(control).replaceAll(SERVICE, '"#/'),
  ) as OpenApiDocument;
  const { components } = document;
  for (const operation of operationsOf(document)) {
    operation.responses = { ...operation.responses, ...errorsOf(operation) };
  }
  const schemas = refuseUnlisted(service.components?.schemas) as object;
  return {
    ...document,
    components: {
      ...components,
      responses: { ...components?.responses, ...commonErrors() },
      schemas: { ...schemas, ...components?.schemas },
    },
  };
}

function operationsOf({ paths }: OpenApiDocument): OpenAPIV3.OperationObject[] {
  const items = Object.values(paths) as OpenAPIV3.PathItemObject[];
  return items.flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
}

/** The member of an operation that says which collection it is on. */
const COLLECTION = 'x-collection';

const PLACE = '/{collection}';

/**
 * The document with the paths of each collection written out: another collection is then an unknown
 * path, and a customer is validated as a customer.
 */
export function withEachCollection(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).flatMap(([path, item]) =>
    path.startsWith(PLACE)
      ? RESOURCE_NAMES.map((name) => [path.replace(PLACE, `/${name}`), onlyOf(name, item)])
      : [[path, item]],
  );
  return { ...document, paths: Object.fromEntries(paths) };
}

function onlyOf(name: ResourceName, item: object | undefined): object {
  return JSON.parse(JSON.stringify(item), (member, value) => {
    if (member === '$ref') return value.replace(/\/Record$/, `/${SCHEMA_OF[name]}`);
    if (value?.operationId) return { ...value, [COLLECTION]: name };
    if (value?.examples?.[name]) {
      const { examples, ...content } = value;
      return { ...content, example: examples[name].value };
    }
    return member === 'parameters'
      ? value.filter(({ $ref }: { $ref: string }) => !$ref.endsWith('/Collection'))
      : value;
  });
}

/** The collection of an operation on records; undefined for any other. */
export function collectionOf(operation: object): ResourceName | undefined {
  return Reflect.get(operation, COLLECTION);
}
