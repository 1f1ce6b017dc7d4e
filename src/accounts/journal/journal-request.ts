import { type DecisionId, LEDGER, type LedgerRow } from '../../decisions/ledger.js';
import type { ProblemGround } from '../../errors/problem-error.js';
import type { components } from '../../generated/control.js';
import { valuesOfPath } from '../../openapi/route-table.js';
import type { Replaced } from '../../store/collection.js';
import type { Stub } from '../../stubs/stub.js';
import { cut, percentDecoded } from '../../values/received-value.js';
import type { IsToken, Redaction } from './redact-secrets.js';
import {
  headersOf,
  type NotedBody,
  partsOf,
  redactBinary,
  redactBody,
  redactionOf,
  redactParts,
  redactRefusal,
} from './show-request.js';

/**
 * One request to the service and its response, as the journal shows it.
 *
 * @example
 * const [request]: JournalRequest[] = account.journal.list({ status: 400 });
 * console.log(request?.detail);
 */
export type JournalRequest = components['schemas']['JournalRequest'];

/** A request as the journal keeps it: as received, described only when it is listed. */
export interface NotedRequest {
  readonly id: number;
  /** When it was received, in ms since 1970. */
  readonly atMs: number;
  readonly method: string;
  /** The path and the query as they were sent. */
  readonly target: string;
  readonly operationId: string | undefined;
  /** The path of the document or of the stub that it called, such as `/contracts/{contractId}`. */
  readonly template: string | undefined;
  /** Names and values of the header fields by turns, one a line: one text takes the least memory. */
  readonly headerLines: string;
  /** The path below which the service answers, if there is one. */
  readonly basePath?: string;
  /** True if it came over TLS. */
  readonly isEncrypted?: boolean;
  body?: NotedBody;
  status?: number;
  /** The Content-Length of the response. */
  responseBytes?: number;
  /** The response, if responses are kept. */
  response?: NotedResponse;
  /** Makes the response for archives, while it is one of the last. */
  recentResponse?: (() => NotedResponse) | undefined;
  durationMs?: number;
  /** How long its response is held back by latency. */
  latencyMs?: number;
  outcome?: 'answered' | 'aborted';
  /** Why it was refused: the kind of problem, its detail, the decision and its value. */
  refusal?: Refusal;
  /** The id of the fault that fired. */
  fault?: number;
  /** Whether the document allows the response, if a fault made it. */
  arranged?: NonNullable<JournalRequest['arranged']>;
  /** What the records were that it deleted, until they are put back. */
  replaced?: readonly Replaced[] | undefined;
  /** True once they were put back. */
  undone?: true;
  /** The stub that it called. */
  readonly stub?: Pick<Stub, 'id' | 'for'> | undefined;
}

/** A response as the journal keeps it. */
export interface NotedResponse {
  /** As those of the request. */
  readonly headerLines: string;
  /** The length of its body. */
  readonly bytes: number;
  /** The body; none if it was too long. */
  readonly text?: string;
  /** The SHA-256 of a body that is too long to be listed. */
  readonly hash?: string;
  /** True if it is not UTF-8, and its text therefore base64. */
  readonly isBase64?: boolean;
}

/** Why a request was refused. */
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

/** The request as it is listed: a copy, without secrets. */
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
  const { recentResponse: _recent, replaced: _before, ...end } = ending;
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
    ...(stub && { stub }),
    ...refusal,
  };
}

/** A refusal as it is kept: its detail may quote what was sent, so it is cut, and without secrets. */
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
  // A long body is not searched, and an error of the parser quotes what is around it.
  const quoted = (typeof noted.body === 'object' ? ground.inShort : undefined) ?? detail;
  const redaction = redactionOf(noted, isToken);
  const short = redactRefusal(cut(quoted, LONGEST_DETAIL), redaction, ground);
  return { ...refusal, ...value, detail: short };
}

/** The parsed body of a response; a long one by its length and hash. */
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

/** The values in the path and the query by name; one that cannot be decoded is unchanged. */
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

/** Explains in sentences why a request got its response. */
export function explain(request: JournalRequest): string[] {
  return [
    called(request),
    ...(request.fault === undefined ? [] : [`Fault ${request.fault} fired on this request.`]),
    answered(request),
    ...decided(request),
    ...(request.latencyMs === undefined
      ? []
      : [`Latency delayed the response by ${request.latencyMs} ms.`]),
    ...(request.outcome === 'aborted'
      ? ['The connection closed before the whole response was sent.']
      : []),
  ];
}

function called({ method, path, query, operationId, stub }: JournalRequest): string {
  const target = query === undefined ? path : `${path}?${query}`;
  if (stub) return `${method} ${target} called stub ${stub.id} of the ${stub.for}.`;
  return operationId
    ? `${method} ${target} called the operation ${operationId} in openapi.yaml.`
    : `${method} ${target} matches no operation in openapi.yaml.`;
}

function answered({ status, problem, detail, stub, arranged }: JournalRequest): string {
  if (status === undefined) return 'The request got no response.';
  if (arranged) {
    const { isAllowed, detail: expected } = arranged;
    const words = isAllowed ? 'allows this response.' : `does not allow this response: ${expected}`;
    return `The request got the fault's ${status}; the document ${words}`;
  }
  if (problem === undefined && stub) return `The request got a ${status}.`;
  if (problem === undefined) return `The request got a ${status}: it matches the document.`;
  return `The request was refused with ${status} (${problem}): ${detail}`;
}

function decided({ decision, decisionValue = '' }: JournalRequest): string[] {
  if (decision === undefined) return [];
  // Requests are refused with ids of the ledger only; the document has them as text.
  const row: LedgerRow = LEDGER[decision as DecisionId];
  const meaning = row.values[decisionValue] ?? decisionValue;
  return [
    `Section ${row.section} of the specification leaves open: ${row.question}`,
    `Here the decision '${decision}' is '${decisionValue}': ${meaning}`,
  ];
}
