// Lists the operations of openapi.yaml where the document cannot be read: in the code of the kits
// and of settle, and in control.openapi.yaml.
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
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

interface Content {
  readonly content: Readonly<Record<string, { schema: Schema }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
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

function envelopeOf({ operationId, responses }: Operation): string {
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const [body] = Object.values(responses[success]?.content ?? {});
  const [member] = resolve(body?.schema)?.required ?? [];
  if (member === undefined) throw new Error(`${operationId} requires no member of its success.`);
  return member;
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

/** The member that every success of an operation has: the first that its schema requires. */
export const ENVELOPES = {
${list((one) => `'${envelopeOf(one)}'`)}} as const;
`,
);

const CONTROL = 'control.openapi.yaml';
const LISTED = /(?<=&operationIds )\[.*\]/;
const ids = operations.map(({ operationId }) => operationId).join(', ');
writeFileSync(CONTROL, readFileSync(CONTROL, 'utf8').replace(LISTED, `[${ids}]`));
