import { isUtf8 } from 'node:buffer';
import { memberOf } from '../errors/json-pointer.js';
import { type Answer, type AnswerBody, bodyOf, type Call } from './exchange.js';

/** An answered request of a recording; its path and query are still encoded. */
export interface RecordedEntry {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
  readonly token: Call['token'];
  readonly answer: Answer;
  /** NaN if the recording does not say. */
  readonly sentAtMs: number;
}

const PROTOCOLS = ['http:', 'https:'];
/** Statuses whose answers have no body. */
const WITHOUT_BODY = [204, 205, 304];

/** Reads an entry of `log.entries`; undefined if it is no answered request over HTTP. */
export function readEntry(entry: unknown): RecordedEntry | undefined {
  const request = memberOf(entry, 'request');
  const response = memberOf(entry, 'response');
  const method = memberOf(request, 'method');
  const url = memberOf(request, 'url');
  const status = memberOf(response, 'status');
  // Aborted and blocked requests have the status 0 or -1.
  const isAnswered = typeof status === 'number' && status >= 100 && status < 600;
  if (typeof method !== 'string' || typeof url !== 'string' || !isAnswered) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !PROTOCOLS.includes(parsed.protocol)) return undefined;
  const headers = readHeaders(response);
  const { authorization = '' } = readHeaders(request);
  return {
    method: method.toUpperCase(),
    url: parsed,
    body: readPostData(memberOf(request, 'postData')),
    token: authorization === '' ? 'unknown' : 'given',
    answer: { status, headers, body: readBody(memberOf(response, 'content'), status, headers) },
    sentAtMs: timeOf(memberOf(entry, 'startedDateTime')),
  };
}

function timeOf(timestamp: unknown): number {
  return typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
}

/** The fields in lower case, repeated ones joined; HTTP/2's pseudo fields are left out. */
function readHeaders(message: unknown): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const field of listOf(memberOf(message, 'headers'))) {
    const { name, value } = { name: memberOf(field, 'name'), value: memberOf(field, 'value') };
    if (typeof name !== 'string' || typeof value !== 'string' || name.startsWith(':')) continue;
    const key = name.toLowerCase();
    // Chromium puts repeated fields into one, line by line.
    const line = value.replaceAll('\n', ', ');
    const earlier = headers.get(key);
    headers.set(key, earlier === undefined ? line : `${earlier}, ${line}`);
  }
  return Object.fromEntries(headers);
}

function readBody(
  content: unknown,
  status: number,
  { 'content-length': length }: Readonly<Record<string, string>>,
): AnswerBody {
  if (WITHOUT_BODY.includes(status)) return { kind: 'empty' };
  const given = memberOf(content, 'size');
  const size = typeof given === 'number' ? given : -1;
  const text = textOf(content);
  const isEmpty = (text === '' ? size <= 0 : size === 0) && !(Number(length) > 0);
  if (text === undefined || text === '') return { kind: isEmpty ? 'empty' : 'unknown' };
  const body = bodyOf(text);
  // Firefox cuts long bodies.
  const isCut = body.kind === 'text' && Buffer.byteLength(text) < size;
  return isCut ? { kind: 'unknown' } : body;
}

/** The body of a request: JSON as its value, anything else as its text. */
function readPostData(postData: unknown): unknown {
  const text = textOf(postData) || formOf(listOf(memberOf(postData, 'params')));
  const body = bodyOf(text);
  if (body.kind === 'json') return body.value;
  return text === '' ? undefined : text;
}

function formOf(params: readonly unknown[]): string {
  const form = new URLSearchParams();
  for (const param of params) {
    const [name, value] = [memberOf(param, 'name'), memberOf(param, 'value')];
    if (typeof name === 'string') form.append(name, typeof value === 'string' ? value : '');
  }
  return form.toString();
}

/** The text of a body; undefined if there is none, or one that is not UTF-8. */
function textOf(content: unknown): string | undefined {
  const text = memberOf(content, 'text');
  if (typeof text !== 'string') return undefined;
  if (memberOf(content, 'encoding') !== 'base64') return text;
  const bytes = Buffer.from(text, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
