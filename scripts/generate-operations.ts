// Lists the operations of openapi.yaml where the document itself cannot be read: in the code of the
// kits and of settle, and in control.openapi.yaml.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { followReference } from '../src/openapi/references.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: object;
}

const { paths, components } = parse(readFileSync('openapi.yaml', 'utf8')) as Document;
const resolve = <Part>(part: Part): Part => followReference(part, { components }) ?? part;

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    route: `${method.toUpperCase()} ${path}`,
  })),
);

function parametersOf({ parameters = [], requestBody }: Operation): string {
  const bodies = Object.values(requestBody?.content ?? {});
  const names = [
    ...parameters.map((one) => resolve(one).name),
    ...bodies.flatMap(({ schema }) => Object.keys(resolve(schema).properties ?? {})),
  ];
  return names.map((name) => `'${name}'`).join(', ');
}

const list = (write: (operation: (typeof operations)[number]) => string) =>
  operations.map((one) => `  ${one.operationId}: ${write(one)},\n`).join('');

writeFileSync(
  'src/generated/operations.ts',
  `// Generated from openapi.yaml by npm run generate; not to be edited.

/** The parameters, and members of the body, of each operation. */
export const PARAMETERS = {
${list((one) => `[${parametersOf(one)}]`)}} as const;

/** The method and path of each operation. */
export const ROUTES = {
${list(({ route }) => `'${route}'`)}} as const;
`,
);

const CONTROL = 'control.openapi.yaml';
const LISTED = /(?<=&operationIds )\[.*\]/;
const ids = operations.map(({ operationId }) => operationId).join(', ');
writeFileSync(CONTROL, readFileSync(CONTROL, 'utf8').replace(LISTED, `[${ids}]`));
