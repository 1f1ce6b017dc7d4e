import type { DecisionId } from '../../src/decisions/ledger.js';
import type { MockServer } from '../../src/index.js';
import { bodyOf, type Call, type Exchange } from '../../src/settle/exchange.js';
import type { Observer } from '../../src/settle/observation.js';
import { OBSERVERS } from '../../src/settle/observers/observers.js';
import type { Ask, AskedCall, Known, Probe } from '../../src/settle/probes/probe.js';
import { conclude, type Verdict } from '../../src/settle/verdict.js';
import { openapi } from './document.js';

/** An exchange by hand: what was asked, and a status with a JSON body or header fields. */
export function exchange(
  asked: AskedCall,
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Exchange {
  return {
    call: { path: {}, query: [], token: 'given', ...asked },
    answer: {
      status,
      headers,
      body: body === undefined ? { kind: 'empty' } : { kind: 'json', value: body },
    },
    sentAtMs: 0,
  };
}

/** What exchanges tell about a decision. */
export function verdictOf<Id extends DecisionId>(
  decision: Id,
  exchanges: readonly Exchange[],
): Verdict<Id> {
  // The table has the observer of each decision under its id.
  const observer = OBSERVERS[decision] as Observer<Id>;
  return conclude(decision, observer, { exchanges, document: openapi }, () => ({
    verdict: 'could-not-check',
    reason: 'Nothing was seen.',
  }));
}

/** The value that is settled, or else the verdict. */
export function told(decision: DecisionId, exchanges: readonly Exchange[]): unknown {
  const { verdict, value } = verdictOf(decision, exchanges);
  return value ?? verdict;
}

/** Sends probes to a mock, one after the other, and returns the exchanges. */
export async function send(
  server: Pick<MockServer, 'fetch'>,
  probes: readonly Probe[],
  given: Partial<Omit<Known, 'exchanges'>> = {},
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const known = { exchanges, customers: [], scratchContracts: [], scratchRefs: [], ...given };
  const ask: Ask = async (asked) => {
    const call: Call = { path: {}, query: [], token: 'given', ...asked };
    const { method, path } = requestOf(call);
    const token = TOKENS[call.token];
    const answer = await server.fetch(path, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    });
    const answered = {
      call,
      answer: {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: bodyOf(await answer.text()),
      },
      sentAtMs: 0,
    };
    exchanges.push(answered);
    const isRefusedToken = call.token === 'given' && [401, 403].includes(answer.status);
    if (answer.status >= 500 || answer.status === 429 || isRefusedToken) {
      throw new Error(`The service answered ${answer.status}.`);
    }
    return answered;
  };
  for (const probe of probes) await probe.send(ask, known).catch(() => undefined);
  return exchanges;
}

/** The token of the account that probes ask for. */
export const GIVEN_TOKEN = 'given-token';

const TOKENS = {
  given: GIVEN_TOKEN,
  'made-up': 'made-up-token',
  none: undefined,
  unknown: undefined,
};

function requestOf({ operationId, path, query }: Call): { method: string; path: string } {
  const part = (name: string) => encodeURIComponent(String(path[name]));
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  const requests = {
    deleteContract: () => ['DELETE', `/contracts/${part('contractId')}`],
    getCustomerByName: () => ['GET', `/customers/name/${part('name')}`],
    getCustomer: () => ['GET', `/customers/${part('customerId')}`],
    listMeasurements: () => ['GET', `/measurements?${search}`],
    deleteEventsByRefs: () => ['POST', '/events/delete-by-refs'],
  };
  const [method = '', target = ''] = requests[operationId]();
  return { method, path: target };
}
