import type { Follower, Journal } from '../accounts/journal/journal.js';
import type { NotedRequest, NotedResponse } from '../accounts/journal/journal-request.js';
import { noteOfResponse } from '../accounts/journal/note-body.js';
import type { Latency } from '../accounts/latency.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import { type Exchange, known, type Step } from './exchange.js';
import type { SharedLists } from './kept-pages.js';
import type { Platform } from './platform.js';
import {
  bytesOf,
  type Delivery,
  type HeaderFields,
  pairsOf,
  type ResponseBody,
  type ServiceResponse,
} from './request-and-response.js';
import { queryOf } from './validate.js';

/** The media type of what the mock writes. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Ends the walk with a response; its header fields replace those that steps have set. */
export function respond(
  exchange: Exchange,
  status: number,
  headers: HeaderFields = {},
  body?: ResponseBody,
  delivery?: Delivery,
): void {
  const { request, noted, platform } = exchange;
  const length = lengthOf(body, platform.byteLength);
  // Not spread: this is done for every request.
  const fields = exchange.headers;
  if (length !== undefined) fields['Content-Length'] = String(length);
  for (const name in headers) setField(fields, name, headers[name] ?? '');
  if (noted && !isLost(delivery)) {
    noted.status ??= status;
    if (length !== undefined) noted.responseBytes = length;
  }
  const isHead = request.method === 'HEAD';
  exchange.response = {
    status,
    headers: fields,
    body: isHead || body === undefined ? '' : body,
    delivery,
    end: (isDelivered) => exchange.end(isDelivered),
  };
}

/** Ends the walk with a value as JSON. */
export function respondJson(exchange: Exchange, status: number, value: object): void {
  respond(exchange, status, { 'Content-Type': JSON_TYPE }, JSON.stringify(value));
}

function lengthOf(body: ResponseBody | undefined, byteLength: (text: string) => number) {
  if (typeof body === 'string') return byteLength(body);
  return body instanceof Uint8Array ? body.length : undefined;
}

/** Sets a field whose name may have been set in another case. */
function setField(fields: Exchange['headers'], name: string, value: string | string[]): void {
  if (!(name in fields)) {
    const lowerCase = name.toLowerCase();
    for (const other in fields) if (other.toLowerCase() === lowerCase) delete fields[other];
  }
  fields[name] = value;
}

/** Names in a header field the decisions that the response rests on, such as `repeat-delete=gone`. */
export function nameDecisions(isWanted: boolean): Step {
  return (exchange) => {
    if (isWanted && exchange.route) setDecisionsField(exchange);
  };
}

export function setDecisionsField({ headers, decisions }: Exchange): void {
  if (!decisions) return;
  const { applied, inForce } = decisions;
  headers.Decisions = applied.map((id) => `${id}=${inForce[id]}`).join(', ');
}

/** Writes what the operation has returned as JSON. */
export function writeResult(shared: SharedLists): Step {
  return (exchange) => {
    const { result } = exchange;
    if (!result) return;
    const body = shared.write(result.body);
    exchange.ready = { status: result.status, headers: { 'Content-Type': JSON_TYPE }, body };
  };
}

/** Sends what is ready: the only place from which a success leaves, unless a fault distorts it. */
export const send: Step = (exchange) => {
  const { status, headers, body } = known(exchange, 'ready').ready;
  respond(exchange, status, headers, body);
};

/** Holds a success back for the latency of the account, or of the server where the call has none. */
export function delay(serverLatency: Latency): Step {
  return (exchange) => awaitLatency(exchange, serverLatency);
}

/** Waits for the latency of a request, once. */
export function awaitLatency(exchange: Exchange, serverLatency: Latency): void | Promise<void> {
  const { account, noted } = exchange;
  if (!noted || noted.latencyMs !== undefined) return;
  const latencyMs = (account?.latency ?? serverLatency).drawMs(noted.id);
  if (latencyMs === undefined) return;
  noted.latencyMs = latencyMs;
  return exchange.platform.wait(latencyMs, exchange.request.signal);
}

/** A longer body of a response is not kept. */
const LARGEST_BODY = 2 ** 20;

/** One that nobody wants is kept for a while, unless it is longer. */
const LARGEST_RECENT_BODY = 16 * 1024;

/**
 * Keeps the response in the journal of its account, or of the server, while a follower wants it; else
 * so many of the last ones.
 */
export function captureResponses(
  serverJournal: Journal,
  followers: Iterable<Pick<Follower, 'wantsResponses'>>,
  mostRecent = 0,
): Step {
  const recent: NotedRequest[] = [];
  let next = 0;
  const keepRecent = (noted: NotedRequest, response: () => NotedResponse) => {
    const oldest = recent[next];
    if (oldest) oldest.recentResponse = undefined;
    noted.recentResponse = response;
    recent[next] = noted;
    next = (next + 1) % mostRecent;
  };
  return (exchange) => {
    const isWanted = [...followers].some(({ wantsResponses }) => wantsResponses);
    if (!isWanted && mostRecent === 0) return;
    exchange.endings.push(() => {
      const { account, noted, response, platform } = exchange;
      if (!noted || !response || isLost(response.delivery)) return;
      const kept = noting(response, platform.sha256);
      if (isWanted) (account?.journal ?? serverJournal).noteResponse(noted, kept());
      else if ((noted.responseBytes ?? 0) <= LARGEST_RECENT_BODY) keepRecent(noted, kept);
    });
  };
}

/** Notes a response when it is asked; a function of its own, or it would keep the whole exchange in memory. */
function noting({ headers, body, delivery }: ServiceResponse, sha256: Platform['sha256']) {
  return (): NotedResponse => {
    const headerLines = pairsOf(headers).flat().join('\n');
    const whole = bytesOf(body);
    const bytes = delivery?.kind === 'cut' ? whole.subarray(0, delivery.afterBytes) : whole;
    if (bytes.length > LARGEST_BODY) return { headerLines, bytes: bytes.length };
    return { headerLines, bytes: bytes.length, ...noteOfResponse(bytes, sha256) };
  };
}

/** Whether not even the head of a response arrives. */
export function isLost(delivery: Delivery | undefined): boolean {
  return delivery?.kind === 'reset' || delivery?.kind === 'empty';
}

/** Has the coverage count the call when its response is known, whoever makes that. */
export function countCalls(coverage: CoverageCounter): Step {
  const count = (exchange: Exchange) => coverage.count(callOf(exchange), exchange.account?.counts);
  return (exchange) => {
    exchange.onResponse = count;
  };
}

function callOf(exchange: Exchange): Parameters<CoverageCounter['count']>[0] {
  const { route, request, query, sentQuery, response, result, problem, decisions, fault } =
    exchange;
  const applied = decisions?.applied ?? [];
  const named = problem?.ground.decision;
  return {
    operationId: route?.operationId,
    method: request.method,
    target: exchange.target,
    // A fault may fire before it is parsed.
    query: sentQuery ?? queryOf(query),
    body: route && exchange.body,
    status: isLost(response?.delivery) ? undefined : response?.status,
    result: result?.body,
    problem: problem?.problem,
    fault,
    inForce: decisions?.inForce,
    applied: named === undefined || applied.includes(named) ? applied : [...applied, named],
  };
}
