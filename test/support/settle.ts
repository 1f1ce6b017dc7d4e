import type { DecisionId } from '../../src/core/decisions/ledger.js';
import { ROUTES } from '../../src/generated/operations.js';
import type { Observer } from '../../src/tools/settle/observers/observer.js';
import { observerOf } from '../../src/tools/settle/observers/observers.js';
import type { Ask, Known, Probe, ProbeRequest } from '../../src/tools/settle/probes/probe.js';
import { bodyOf, type Sample, type SampleRequest } from '../../src/tools/settle/seen/samples.js';
import { conclude, type Verdict } from '../../src/tools/settle/verdict.js';
import { openapi } from './document.js';

/** A response of a test: its status, by default 200, and its body as JSON or text. */
export interface TestResponse {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly type?: string;
}

let sent = 0;

/** A sample made by hand: a call, and a status with a JSON body or header fields. */
export function sample(
  asked: ProbeRequest,
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Sample {
  return sampled(asked, {
    status,
    headers,
    body: body === undefined ? { kind: 'empty' } : { kind: 'json', value: body },
  });
}

/** A sample of a listing; the query is as in a URL. */
export function listing(
  query: string,
  { status = 200, json, text, type = 'application/json' }: TestResponse,
  call: Partial<SampleRequest> = {},
): Sample {
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  return sampled(
    { operationId: 'listMeasurements', query: [...new URLSearchParams(query)], ...call },
    { status, headers: { 'content-type': type }, body: bodyOf(body) },
  );
}

/** A sample, by default with the given token, sent a second after the previous one. */
function sampled(asked: ProbeRequest, response: Sample['response']): Sample {
  sent += 1;
  return {
    request: { path: {}, query: [], token: 'given', ...asked },
    response: response,
    sentAtMs: 1_000 * sent,
  };
}

/** The same sample, a minute after all others. */
export function later(one: Sample): Sample {
  return { ...one, sentAtMs: one.sentAtMs + 60_000 };
}

/** The verdict on a decision; it could not be checked if no sample shows anything of it. */
export function verdictOn<Id extends DecisionId>(
  decision: Id,
  samples: readonly Sample[],
): Verdict {
  const observer = observerOf(decision) as Observer<Id>;
  return conclude(decision, observer, { samples, document: openapi }, () => ({
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

/** The settled value, or else the verdict. */
export function told(decision: DecisionId, samples: readonly Sample[]): unknown {
  const { verdict, value } = verdictOn(decision, samples);
  return value ?? verdict;
}

/** Sends probes to a service, one after the other, and returns the samples. */
export async function send(
  service: { fetch(path: string, init: RequestInit): Promise<Response> },
  probes: readonly Probe[],
  given: Partial<Omit<Known, 'samples'>> = {},
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const known = {
    samples,
    seed: 'a seed',
    left: () => 100,
    pause: async () => undefined,
    customers: [],
    scratchContracts: [],
    scratchRefs: [],
    ...given,
  };
  const ask: Ask = async (asked) => {
    const request: SampleRequest = { path: {}, query: [], token: 'given', ...asked };
    const { method, path } = requestOf(request);
    const token = TOKENS[request.token];
    const response = await service.fetch(path, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const answered = sampled(asked, {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: bodyOf(await response.text()),
    });
    samples.push(answered);
    const isRefusedToken = request.token === 'given' && [401, 403].includes(response.status);
    if (response.status >= 500 || response.status === 429 || isRefusedToken) {
      throw new Error(`The service answered ${response.status}.`);
    }
    return answered;
  };
  for (const probe of probes) await probe.send(ask, known).catch(() => undefined);
  return samples;
}

/** The token with which probes are sent. */
export const GIVEN_TOKEN = 'given-token';

const TOKENS = {
  given: GIVEN_TOKEN,
  'made-up': 'made-up-token',
  alike: 'other-token',
  none: undefined,
  unknown: undefined,
};

function requestOf({ operationId, path, query }: SampleRequest): { method: string; path: string } {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  const [method = '', template = ''] = ROUTES[operationId].split(' ');
  const target = template.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(path[name])),
  );
  return { method, path: query.length === 0 ? target : `${target}?${search}` };
}
