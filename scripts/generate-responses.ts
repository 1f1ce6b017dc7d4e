// Writes the responses to errors into openapi.yaml, from the table of problems.
import { readFileSync, writeFileSync } from 'node:fs';
import { Document, type YAMLMap } from 'yaml';
import { DecisionsBehindResponse } from '../src/core/decisions/decisions-behind-response.js';
import { DEFAULT_DECISIONS } from '../src/core/decisions/ledger.js';
import { errorComponents } from '../src/core/openapi/error-responses.js';

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
const GENERATED =
  /(?<=\n {4}# Generated from \S+ .*\n)[\s\S]*?(?= {4}# End of the generated part\.\n)/;
const written = document.toString({ lineWidth: 0 }).replace(/^(?=.)/gm, '    ');
writeFileSync(
  FILE,
  readFileSync(FILE, 'utf8').replace(GENERATED, () => written),
);
