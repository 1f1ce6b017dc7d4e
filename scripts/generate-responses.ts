// Writes the errors into openapi.yaml: their responses from the table of problems, and which of them
// each operation has from its refusals.
import { readFileSync } from 'node:fs';
import { Document, parse, stringify, type YAMLMap } from 'yaml';
import { DecisionsBehindResponse } from '../src/core/decisions/decisions-behind-response.js';
import { DEFAULT_DECISIONS } from '../src/core/decisions/ledger.js';
import { documentByDecisions } from '../src/core/openapi/document-by-decisions.js';
import { errorComponents } from '../src/core/openapi/error-responses.js';
import { operationsOf } from '../src/core/openapi/route-table.js';
import { writeGenerated, writeParts } from './write-generated.mjs';

const responses = errorComponents(new DecisionsBehindResponse(DEFAULT_DECISIONS));
const document = new Document(responses, { aliasDuplicateObjects: false });

/** Names an example that the schemas have, too. */
function anchor(name: string, ...path: readonly (string | number)[]): void {
  const example = ['InvalidRequest', 'content', 'application/problem+json', 'example', ...path];
  (document.getIn(example) as YAMLMap).anchor = name;
}

anchor('invalid-request');
anchor('invalid-value', 'errors', 0);

const FILE = 'openapi.yaml';
const SOURCE = 'src/core/errors/problem-types.ts';
writeParts(FILE, SOURCE, () => document.toString({ lineWidth: 0 }));

/** The errors of each operation, from its refusals, by operationId. */
const errors = new Map(
  operationsOf(documentByDecisions(parse(readFileSync(FILE, 'utf8')), DEFAULT_DECISIONS)).map(
    ({ operationId = '', responses = {} }) => [
      operationId,
      Object.entries(responses).filter(([status]) => status >= '400'),
    ],
  ),
);

/** An operation of the document up to the end of its successes, and the errors that follow. */
const OPERATION =
  /^ {6}operationId: (\w+)\n(?:(?! {6}responses:).*\n)* {6}responses:\n(?: {8}"[123].*\n(?: {10}.*\n|\n(?= {10}))*)*(?<errors>(?: {8}.*\n)*)/gm;

const INDENT = ' '.repeat(8);
writeGenerated(
  FILE,
  readFileSync(FILE, 'utf8').replace(OPERATION, (text, operationId, former: string) => {
    const own = Object.fromEntries(errors.get(operationId) ?? []);
    const written = stringify(own, { defaultStringType: 'PLAIN' }).replace(/^(?=.)/gm, INDENT);
    return text.slice(0, text.length - former.length) + written;
  }),
);
