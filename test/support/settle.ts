import type { DecisionId } from '../../src/decisions/ledger.js';
import { bodyOf, type Call, type Exchange } from '../../src/settle/exchange.js';
import type { Observer } from '../../src/settle/observation.js';
import { OBSERVERS } from '../../src/settle/observers/observers.js';
import { MEASUREMENT_PROBES } from '../../src/settle/probes/measurements.js';
import type { Ask } from '../../src/settle/probes/probe.js';
import { conclude, type Verdict } from '../../src/settle/verdict.js';
import { openapi } from './document.js';

/** What a test says of an answer: its status, 200 if left out, and its body as JSON or text. */
export interface TestAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly type?: string;
}

let sent = 0;

/** A listing and its answer; the query as in a URL. Each is sent a second after the one before. */
export function listing(query: string, answer: TestAnswer, call: Partial<Call> = {}): Exchange {
  const parameters = [...new URLSearchParams(query)] as [string, string][];
  return exchange({ operationId: 'listMeasurements', query: parameters, ...call }, answer);
}

/** A call, by default with the given token, and its answer. */
export function exchange(
  call: Partial<Call> & Pick<Call, 'operationId'>,
  { status = 200, json, text, type = 'application/json' }: TestAnswer,
): Exchange {
  sent += 1;
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  return {
    call: { path: {}, query: [], token: 'given', ...call },
    answer: { status, headers: { 'content-type': type }, body: bodyOf(body) },
    sentAtMs: 1_000 * sent,
  };
}

/** The verdict on a decision; a decision of which nothing was seen could not be checked. */
export function verdictOn<Id extends DecisionId>(
  decision: Id,
  exchanges: readonly Exchange[],
): Verdict<Id> {
  const observer = OBSERVERS[decision] as unknown as Observer<Id>;
  return conclude(decision, observer, { exchanges, document: openapi }, () => ({
    verdict: 'could-not-check',
    reason: 'nothing was seen',
  }));
}

/** The verdict in one word or two: `settled 400`, `none`. */
export function inShort({
  verdict,
  value,
}: {
  readonly verdict: string;
  readonly value?: string | number;
}): string {
  return value === undefined ? verdict : `${verdict} ${value}`;
}

/** Sends the probes of listings that tell any of these decisions; all of them if none is given. */
export async function probeListings(
  call: (path: string, init: RequestInit) => Promise<Response>,
  only: readonly DecisionId[] = [],
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const ask: Ask = async ({ query = [], ...asked }) => {
    const text = new URLSearchParams(
      query.map(([name, value]): [string, string] => [name, value]),
    ).toString();
    const sentAtMs = Date.now();
    const response = await call(`/measurements${text === '' ? '' : `?${text}`}`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    const answered: Exchange = {
      call: { path: {}, query, token: 'given', ...asked },
      answer: {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: bodyOf(await response.text()),
      },
      sentAtMs,
    };
    exchanges.push(answered);
    if (response.status >= 500) throw new Error(`The service failed: ${response.status}.`);
    return answered;
  };
  const known = { exchanges, customers: [], scratchContracts: [], scratchRefs: [] };
  const chosen = MEASUREMENT_PROBES.filter(
    ({ tells }) => only.length === 0 || only.some((id) => tells.includes(id)),
  );
  for (const { send } of chosen) await send(ask, known).catch(() => undefined);
  return exchanges;
}

const TOKEN = 'listing';
