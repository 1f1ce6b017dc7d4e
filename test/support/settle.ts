import type { DecisionId } from '../../src/core/decisions/ledger.js';
import { fields } from '../../src/tools/settle/judge/fields.js';
import { conclude, type Found } from '../../src/tools/settle/judge/table.js';
import type { ScriptRequest } from '../../src/tools/settle/script/run.js';
import type { Sample } from '../../src/tools/settle/seen/samples.js';
import { openapi } from './document.js';

let sent = 0;

/** A sample made by hand: a call, sent a second after the previous one, and its response. */
export function sample(
  asked: ScriptRequest,
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Sample {
  sent += 1;
  return {
    request: { path: {}, query: [], token: 'given', ...asked },
    response: {
      status,
      headers,
      body: body === undefined ? { kind: 'empty' } : { kind: 'json', value: body },
    },
    sentAtMs: 1_000 * sent,
  };
}

/** What records tell of a decision. */
export function foundInData(decision: DecisionId, samples: readonly Sample[]): Found {
  const table = fields({ samples, document: openapi }).find(([id]) => id === decision)?.[1];
  if (!table) throw new Error(`No record tells of ${decision}.`);
  return conclude(decision, table);
}

/** The settled value, or else the verdict. */
export function told(decision: DecisionId, samples: readonly Sample[]): unknown {
  const { verdict, value } = foundInData(decision, samples);
  return value ?? verdict;
}
