// Lists the operations of openapi.yaml where the document cannot be read: in the code of the kits
// and of settle, and in control.openapi.yaml.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { NEVER_REMOVED } from '../src/core/billing/fields-by-decision.js';
import { LEDGER } from '../src/core/decisions/ledger.js';
import { followReference } from '../src/core/openapi/references.js';
import { writeGenerated } from './write-generated.mjs';

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
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const TEXT = readFileSync('openapi.yaml', 'utf8');
const { paths, components } = parse(TEXT) as Document;
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

function successOf({ responses }: Operation): Schema {
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const [body] = Object.values(responses[success]?.content ?? {});
  return resolve(body?.schema) ?? {};
}

function envelopeOf(operation: Operation): string {
  const { operationId } = operation;
  const [member] = successOf(operation).required ?? [];
  if (member !== undefined) return member;
  const line =
    TEXT.split('\n').findIndex((text) => text.includes(`operationId: ${operationId}`)) + 1;
  throw new Error(
    `openapi.yaml:${line}: The schema of the success of ${operationId} requires no member. Name the one that every success has in its 'required'.`,
  );
}

/** Pointers to the members of a value and of the objects within it. */
function pointersBelow(pointer: string, schema: Schema): string[] {
  const { properties = {}, items } = resolve(schema);
  if (items) return pointersBelow(`${pointer}/*`, items);
  return Object.entries(properties).flatMap(([name, member]) => [
    `${pointer}/${name}`,
    ...pointersBelow(`${pointer}/${name}`, member),
  ]);
}

const isNeverRemoved = new RegExp(`^/\\w+(/\\*)?/(${NEVER_REMOVED.join('|')})$`);

const fields = new Set(
  operations.flatMap((one) => {
    const { properties = {} } = successOf(one);
    return Object.entries(properties)
      .flatMap(([name, member]) => pointersBelow(`/${name}`, member))
      .filter((pointer) => !isNeverRemoved.test(pointer));
  }),
);

/** The decisions that a part of the document, or what it refers to, names in `x-decision`. */
function decisionsIn(part: unknown, seen = new Set<unknown>()): unknown[] {
  const whole = resolve(part);
  if (typeof whole !== 'object' || whole === null || seen.has(whole)) return [];
  seen.add(whole);
  return Object.entries(whole).flatMap(([name, member]) =>
    name === 'x-decision' ? member : decisionsIn(member, seen),
  );
}

const named = operations.map((one) => ({ id: one.operationId, decisions: decisionsIn(one) }));

/** What each decision is about: the operations that name it, or every one if none does. */
const subjects = Object.keys(LEDGER).map((id) => {
  const naming = named.filter(({ decisions }) => decisions.includes(id));
  const about = naming.length === 0 ? named : naming;
  const words = about.map((one) => one.id).join(', ');
  return {
    line: `  '${id}': '${about.length === named.length ? 'Every operation' : words}',\n`,
    rank: about.length * named.length + named.indexOf(about[0] as (typeof named)[number]),
  };
});

const list = (write: (operation: (typeof operations)[number]) => string) =>
  operations.map((one) => `  ${one.operationId}: ${write(one)},\n`).join('');

writeGenerated(
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

/** JSON pointers to the fields that records may lack, with \`*\` for any item of a list. */
export const OPTIONAL_FIELDS: readonly string[] = [
${[...fields].map((pointer) => `  '${pointer}',\n`).join('')}];

/** The operations that each decision is about, in the order to list them. */
export const SUBJECTS = {
${subjects
  .sort((one, other) => one.rank - other.rank)
  .map(({ line }) => line)
  .join('')}} as const;
`,
);

const CONTROL = 'control.openapi.yaml';
const LISTED = /(?<=&operationIds )\[.*\]/;
const ids = operations.map(({ operationId }) => operationId).join(', ');
writeGenerated(CONTROL, readFileSync(CONTROL, 'utf8').replace(LISTED, `[${ids}]`));
