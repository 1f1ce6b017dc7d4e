import { cut } from '../../../core/values/received-value.js';
import type { components } from '../../../generated/control.js';
import type { Known } from './hide-credentials.js';
import type { NotedRequest, NotedResponse, Refusal } from './noted-request.js';
import { byName } from './shown-headers.js';
import { ShownRequest } from './shown-request.js';

/**
 * One request to the service and its response, as the journal shows it.
 *
 * @example
 * const [request]: JournalRequest[] = account.journal.list({ status: 400 });
 * console.log(request?.detail);
 */
export type JournalRequest = components['schemas']['JournalRequest'];

const MAX_DETAIL_LENGTH = 4_000;

/** The request as the journal shows it: a copy without credentials. */
export function describeRequest(noted: NotedRequest, known: Known): JournalRequest {
  const { id, atMs, method, operationId, response, refusal, deleted, stub, place } = noted;
  const { status, responseBytes, durationMs, latencyMs, outcome, fault, arranged, undone } = noted;
  const shown = new ShownRequest(noted, known);
  const { path, query, parameters, fields, body, detail } = shown;
  return withoutAbsent({
    ...{ id, at: new Date(atMs).toISOString(), method, path, query, operationId, parameters },
    ...{ headers: byName(fields), body, responseBody: response && responseBodyOf(response, shown) },
    ...{ status, responseBytes, durationMs, latencyMs, outcome, fault, arranged, undone },
    ...{ place, deleted, stub, ...refusal, detail },
  });
}

/** Cuts what is long, the detail after its credentials are hidden. */
export function refusalOf(
  { detail, decisionValue, ...refusal }: Refusal,
  noted: NotedRequest,
  known: Known,
): Refusal {
  return {
    ...refusal,
    ...(decisionValue !== undefined && { decisionValue: cut(decisionValue, MAX_DETAIL_LENGTH) }),
    ...(detail !== undefined && { detail: shortDetail(detail, noted, known) }),
  };
}

function shortDetail(detail: string, noted: NotedRequest, known: Known): string {
  if (detail.length <= MAX_DETAIL_LENGTH) return detail;
  return cut(new ShownRequest(noted, known).hide(detail), MAX_DETAIL_LENGTH);
}

function responseBodyOf(response: NotedResponse, shown: ShownRequest): unknown {
  const { hash, bytes } = response;
  return hash === undefined ? shown.responseBody(response) : { bytes, hash };
}

function withoutAbsent<Value extends object>(value: Value) {
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(present) as { [Name in keyof Value]: Exclude<Value[Name], undefined> };
}
