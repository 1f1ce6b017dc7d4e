import type { ProblemGround } from '../../../core/errors/problem-error.js';
import { valuesOfPath } from '../../../core/openapi/path-template.js';
import type { Replaced } from '../../../core/store/collection.js';
import type { Stub } from '../../../core/stubs/stub.js';
import { cut, percentDecoded } from '../../../core/values/received-value.js';
import type { components } from '../../../generated/control.js';
import { headersOf } from './redact-headers.js';
import {
  type NotedBody,
  partsOf,
  redactBinary,
  redactBody,
  redactionOf,
  redactParts,
  redactRefusal,
} from './redact-request.js';
import type { IsToken, Redaction } from './redact-secrets.js';

/**
 * One request to the service and its response, as the journal shows it.
 *
 * @example
 * const [request]: JournalRequest[] = account.journal.list({ status: 400 });
 * console.log(request?.detail);
 */
export type JournalRequest = components['schemas']['JournalRequest'];

/** A request as the journal stores it: only its refusal is redacted before it is shown. */
export interface NotedRequest {
  readonly id: number;
  /** When it was received, by the account's clock, in ms since 1970. */
  readonly atMs: number;
  readonly method: string;
  /** The path below the base path, and the query, as sent. */
  readonly target: string;
  readonly operationId: string | undefined;
  /** The path of the operation or stub that it called, such as `/contracts/{contractId}`. */
  readonly template: string | undefined;
  /** Header names and values on alternate lines, because a single string takes the least memory. */
  readonly headerLines: string;
  /** The base path that was stripped from the target, if there is one. */
  readonly basePath?: string;
  /** True if it came over TLS. */
  readonly isEncrypted?: boolean;
  body?: NotedBody;
  status?: number;
  /** The Content-Length of the response. */
  responseBytes?: number;
  /** The response, if responses are kept. */
  response?: NotedResponse;
  /** Makes the response for archives, as long as the request is among the latest. */
  recentResponse?: (() => NotedResponse) | undefined;
  durationMs?: number;
  latencyMs?: number;
  outcome?: 'answered' | 'aborted';
  refusal?: Refusal;
  /** The id of the last fault that fired. */
  fault?: number;
  /** Whether the document allows the response, if a `respond` fault made it for an operation. */
  arranged?: NonNullable<JournalRequest['arranged']>;
  /** The records that it deleted, as they were before, until they are put back. */
  replaced?: readonly Replaced[] | undefined;
  /** True once the records that it deleted were put back. */
  undone?: true;
  readonly stub?: Pick<Stub, 'id' | 'for'> | undefined;
}

export interface NotedResponse {
  /** In the form of `NotedRequest.headerLines`. */
  readonly headerLines: string;
  /** The length of the body. */
  readonly bytes: number;
  /** The body; absent if it was too long to keep. */
  readonly text?: string;
  /** The SHA-256 of a body that is too long to list. */
  readonly hash?: string;
  /** True if the body is not UTF-8, so that `text` is base64. */
  readonly isBase64?: boolean;
}

export type Refusal = Pick<JournalRequest, 'problem' | 'detail' | 'decision' | 'decisionValue'>;

/** What is known of a request when it is received. */
export type Arrival = Pick<
  NotedRequest,
  | 'atMs'
  | 'method'
  | 'target'
  | 'operationId'
  | 'template'
  | 'headerLines'
  | 'basePath'
  | 'isEncrypted'
  | 'stub'
>;

const LONGEST_DETAIL = 4_000;

/** The request as the journal shows it: a copy without secrets. */
export function describeRequest(noted: NotedRequest, isToken?: IsToken): JournalRequest {
  const { id, atMs, method, target: _all, operationId, template, headerLines, ...others } = noted;
  const {
    body,
    refusal,
    response,
    stub,
    basePath: _path,
    isEncrypted: _scheme,
    ...ending
  } = others;
  const { recentResponse: _recent, replaced, ...end } = ending;
  const redaction = redactionOf(noted, isToken);
  const sent = redaction.hide({
    ...redactParts(noted, redaction),
    ...(template !== undefined && { parameters: redaction.value(parametersOf(template, noted)) }),
    headers: headersOf(headerLines, redaction),
    ...(body !== undefined && { body: redactBody(body, headerLines, redaction) }),
    ...(response && responseBodyOf(response, redaction)),
  });
  const { path, query, parameters, headers, ...bodies } = sent;
  return {
    id,
    at: new Date(atMs).toISOString(),
    method,
    path,
    ...(query !== undefined && { query }),
    ...(operationId !== undefined && { operationId }),
    ...(parameters !== undefined && { parameters: parameters as Record<string, unknown> }),
    headers,
    ...bodies,
    ...end,
    ...(replaced && { deleted: replaced.length }),
    ...(stub && { stub }),
    ...refusal,
  };
}

/** Redacts and cuts the detail, which may quote the request. */
export function refusalOf(
  { detail, decisionValue, ...refusal }: Refusal,
  noted: NotedRequest,
  ground: ProblemGround,
  isToken?: IsToken,
): Refusal {
  const value = decisionValue !== undefined && {
    decisionValue: cut(decisionValue, LONGEST_DETAIL),
  };
  if (detail === undefined) return { ...refusal, ...value };
  // A long body is not searched for secrets, and a parser's error quotes part of it.
  const quoted = (typeof noted.body === 'object' ? ground.inShort : undefined) ?? detail;
  const redaction = redactionOf(noted, isToken);
  const short = redactRefusal(cut(quoted, LONGEST_DETAIL), redaction, ground);
  return { ...refusal, ...value, detail: short };
}

function responseBodyOf(response: NotedResponse, redaction: Redaction) {
  const { text, hash, bytes, isBase64, headerLines } = response;
  if (hash !== undefined) return { responseBody: { bytes, hash } };
  if (text === undefined) return {};
  return {
    responseBody: isBase64
      ? redactBinary(text, redaction)
      : redactBody(text, headerLines, redaction),
  };
}

/** The path and query parameters by name, decoded if they can be. */
function parametersOf(template: string, noted: NotedRequest): Record<string, unknown> {
  const { path, query } = partsOf(noted);
  const parameters = new Map<string, unknown>();
  for (const [name, value] of Object.entries(valuesOfPath(template, path))) {
    parameters.set(name, percentDecoded(value) ?? value);
  }
  const values = new URLSearchParams(query);
  for (const name of values.keys()) {
    const all = values.getAll(name);
    parameters.set(name, all.length > 1 ? all : all[0]);
  }
  return Object.fromEntries(parameters);
}
