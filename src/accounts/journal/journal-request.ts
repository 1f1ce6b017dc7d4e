import type { components } from '../../generated/control.js';
import { valuesOfPath } from '../../openapi/route-table.js';
import type { Stub } from '../../stubs/stub.js';
import { cut } from '../../values/received-value.js';
import {
  decodedSegment,
  headersOf,
  type NotedBody,
  redactBinary,
  redactBody,
  redactionOf,
  redactPath,
} from './redact-request.js';
import type { Redaction } from './redact-secrets.js';

/**
 * One request of the service and its answer, as the journal shows it.
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
  /** The Content-Length of the answer. */
  answerBytes?: number;
  /** The answer, if answers are kept. */
  answer?: NotedAnswer;
  durationMs?: number;
  /** How long its answer is held back by latency. */
  latencyMs?: number;
  outcome?: 'answered' | 'aborted';
  /** Why it was refused: the kind of problem, its detail, the decision and its value. */
  refusal?: Refusal;
  /** The id of the fault that fired. */
  fault?: number;
  /** The stub that it called. */
  readonly stub?: Pick<Stub, 'id' | 'for'> | undefined;
}

/** An answer as the journal keeps it. */
export interface NotedAnswer {
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

/** The bytes that a request takes beside its texts, roughly. */
const OVERHEAD = 500;

/** The bytes that a request and its answer take, roughly. */
export function sizeOf(noted: NotedRequest): number {
  const { answer } = noted;
  return sizeOfRequest(noted) + bytesOf(answer?.headerLines) + bytesOf(answer?.text);
}

/** The bytes that a request takes without its answer, roughly. */
export function sizeOfRequest({ target, headerLines, body, refusal }: NotedRequest): number {
  const texts = [target, headerLines, body, refusal?.detail];
  return texts.reduce<number>((bytes, text) => bytes + bytesOf(text), OVERHEAD);
}

/** A text takes two bytes a character as soon as one of them is beyond Latin-1. */
function bytesOf(text: unknown): number {
  if (typeof text !== 'string') return 0;
  // The search also flattens a text that was cut from another, which would keep that one in memory.
  return /[\u{100}-\u{10ffff}]/u.test(text) ? 2 * text.length : text.length;
}

/** The request as it is listed: a copy, without secrets. */
export function describeRequest(noted: NotedRequest): JournalRequest {
  const { id, atMs, method, target, operationId, template, headerLines, body, ...others } = noted;
  const { refusal, answer, stub, basePath: _path, isEncrypted: _scheme, ...end } = others;
  const path = pathOf(noted);
  const [, ...query] = target.split('?');
  const redaction = redactionOf(noted);
  const sent = redaction.hide({
    path: redactPath(path, template, redaction),
    ...(query.length > 0 && { query: redaction.fields(query.join('?')) }),
    ...(template !== undefined && {
      parameters: redaction.value(parametersOf(template, path, query.join('?'))),
    }),
    headers: headersOf(headerLines, redaction),
    ...(body !== undefined && { body: redactBody(body, headerLines, redaction) }),
    ...(answer && answerBodyOf(answer, redaction)),
  });
  const { path: shownPath, query: shownQuery, parameters, headers, ...bodies } = sent;
  return {
    id,
    at: new Date(atMs).toISOString(),
    method,
    path: shownPath,
    ...(shownQuery !== undefined && { query: shownQuery }),
    ...(operationId !== undefined && { operationId }),
    ...(parameters !== undefined && { parameters: parameters as Record<string, unknown> }),
    headers,
    ...bodies,
    ...end,
    ...(stub && { stub: { id: stub.id, for: stub.for } }),
    ...refusal,
  };
}

/** The path as it was sent. */
export function pathOf({ target }: Pick<NotedRequest, 'target'>): string {
  const [path = ''] = target.split('?', 1);
  return path;
}

/** A refusal as it is kept: its detail may quote what was sent, so it is cut, and without secrets. */
export function refusalOf({ detail, ...refusal }: Refusal, redaction: Redaction): Refusal {
  if (detail === undefined) return refusal;
  return { ...refusal, detail: redaction.quote(cut(detail, LONGEST_DETAIL)) };
}

/** The parsed body of an answer; a long one by its length and hash. */
function answerBodyOf(answer: NotedAnswer, redaction: Redaction) {
  const { text, hash, bytes, isBase64, headerLines } = answer;
  if (hash !== undefined) return { answerBody: { bytes, hash } };
  if (text === undefined) return {};
  return {
    answerBody: isBase64 ? redactBinary(text, redaction) : redactBody(text, headerLines, redaction),
  };
}

/** The values in the path and the query by name; one that cannot be decoded is unchanged. */
function parametersOf(template: string, path: string, query: string): Record<string, unknown> {
  const inPath = Object.entries(valuesOfPath(template, path));
  const parameters = new Map<string, unknown>(
    inPath.map(([name, value]) => [name, decodedSegment(value)]),
  );
  const values = new URLSearchParams(query);
  for (const name of values.keys()) {
    const all = values.getAll(name);
    parameters.set(name, all.length > 1 ? all : all[0]);
  }
  return Object.fromEntries(parameters);
}
