// Lists the operations of openapi.yaml where the document cannot be read: in the code of the kits
// and of settle, and in control.openapi.yaml.
import { readFileSync } from 'node:fs';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { parse } from 'yaml';
import { NEVER_REMOVED } from '../src/core/billing/fields-by-decision.js';
import { LEDGER } from '../src/core/decisions/ledger.js';
import { followReference } from '../src/core/openapi/references.js';
import {
  createRouteTable,
  type OpenApiDocument,
  successOf,
} from '../src/core/openapi/route-table.js';
import { writeGenerated } from './write-generated.mjs';

type Operation = OpenAPIV3.OperationObject;
type Or<Part> = Part | OpenAPIV3.ReferenceObject | undefined;

const TEXT = readFileSync('openapi.yaml', 'utf8');
const document: OpenApiDocument = parse(TEXT);
const resolve = <Part>(part: Part) => followReference(part, document);

const operations = createRouteTable(document).paths.flatMap(({ template, routes }) =>
  [...routes]
    .filter(([method]) => method !== 'HEAD')
    .map(([method, { operationId, operation }]) => ({
      ...operation,
      operationId,
      route: `${method} ${template}`,
    })),
);

/** The schema of a body, without its reference. */
function bodyOf(part: Or<OpenAPIV3.RequestBodyObject | OpenAPIV3.ResponseObject>) {
  const [body] = Object.values(resolve(part)?.content ?? {});
  return resolve(body?.schema);
}

function parametersOf({ parameters = [], requestBody }: Operation): string {
  const names = [
    ...parameters.map((one) => resolve(one)?.name),
    ...Object.keys(bodyOf(requestBody)?.properties ?? {}),
  ];
  return names.map((name) => `'${name}'`).join(', ');
}

const bodyOfSuccess = (operation: Operation) => bodyOf(successOf(operation).response);

function envelopeOf(operation: Operation): string {
  const { operationId } = operation;
  const [member] = bodyOfSuccess(operation)?.required ?? [];
  if (member !== undefined) return member;
  const line =
    TEXT.split('\n').findIndex((text) => text.includes(`operationId: ${operationId}`)) + 1;
  throw new Error(
    `openapi.yaml:${line}: The schema of the success of ${operationId} requires no member. Name the one that every success has in its 'required'.`,
  );
}

/** Pointers to the members of a value and of the objects within it. */
function pointersBelow(pointer: string, given: Or<OpenAPIV3.SchemaObject>): string[] {
  const schema = resolve(given);
  if (schema?.type === 'array') return pointersBelow(`${pointer}/*`, schema.items);
  return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => [
    `${pointer}/${name}`,
    ...pointersBelow(`${pointer}/${name}`, member),
  ]);
}

const isNeverRemoved = new RegExp(`^/\\w+(/\\*)?/(${NEVER_REMOVED.join('|')})$`);

const fields = new Set(
  operations.flatMap((one) => {
    const { properties = {} } = bodyOfSuccess(one) ?? {};
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
