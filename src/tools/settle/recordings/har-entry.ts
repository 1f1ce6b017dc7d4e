import { isUtf8 } from 'node:buffer';
import { valueOfBody } from '#spec';
import { isJson, WITHOUT_BODY } from '../../../core/values/body-type.js';
import { isObject, memberOf } from '../../../core/values/json-value.js';
import { percentDecoded } from '../../../core/values/received-value.js';
import { isRandom, MADE_UP_TOKEN } from '../seen/made-up-values.js';
import {
  bodyOf,
  type SampleBody,
  type SampleRequest,
  type SampleResponse,
} from '../seen/samples.js';
import type { RecordingGap } from '../settle-report.js';

/** What was called; the path is still encoded. */
export interface RecordedAddress {
  readonly method: string;
  readonly url: URL;
}

/** A request and its response, as far as a recording has them; `gaps` lists what it lacks. */
export interface RecordedExchange extends Pick<SampleRequest, 'query' | 'body' | 'isBodyUnknown'> {
  /** Undefined if the header fields show none: it may have been removed from them. */
  readonly token: SampleRequest['token'] | undefined;
  /** Undefined if there was none. */
  readonly response: SampleResponse | undefined;
  /** False if a cache or a test responded in place of the service. */
  readonly isSent: boolean;
  /** NaN if the recording lacks it. */
  readonly sentAtMs: number;
  readonly gaps: readonly RecordingGap[];
}

/** Reads a file beside the recording; undefined if there is none. */
export type ReadAttached = (name: string) => Buffer | undefined;

type Headers = Readonly<Record<string, string>>;

/** Reads the address of an entry of `log.entries`; undefined unless it is an HTTP request. */
export function readAddress(entry: unknown): RecordedAddress | undefined {
  const request = memberOf(entry, 'request');
  const [method, text] = [memberOf(request, 'method'), memberOf(request, 'url')];
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (typeof method !== 'string' || !url || !/^https?:$/.test(url.protocol)) return undefined;
  return { method: method.toUpperCase(), url };
}

/** True if there was a response: aborted and blocked requests have the status 0 or -1. */
export function isAnswered(entry: unknown): boolean {
  const status = numberIn(memberOf(entry, 'response'), 'status');
  return status >= 100 && status < 600;
}

/**
 * Reads an entry. A part counts as given only where the entry shows it, possibly in another place:
 * the media type in `content`, the query in `queryString`, a body in a file beside the recording.
 */
export function readExchange(
  entry: unknown,
  { method, url }: RecordedAddress,
  readAttached: ReadAttached,
): RecordedExchange {
  const request = memberOf(entry, 'request');
  const headers = readHeaders(request);
  const body = readRequestBody(request, method, headers, readAttached);
  const startedAt = memberOf(entry, 'startedDateTime');
  const sentAtMs = typeof startedAt === 'string' ? Date.parse(startedAt) : Number.NaN;
  const substitute = substituteOf(entry);
  const received = isAnswered(entry) && !substitute ? readResponse(entry, readAttached) : undefined;
  const gaps: readonly (RecordingGap | undefined | false)[] = [
    substitute ?? (!received && 'no-response'),
    ...(received?.gaps ?? []),
    !headers && 'no-request-headers',
    body.lack && gapOf('request', body.lack),
    Number.isNaN(sentAtMs) && 'no-time',
  ];
  return {
    query: queryOf(url, memberOf(request, 'queryString')),
    ...(body.lack ? { isBodyUnknown: true } : body.text && { body: valueOfBody(body.text) }),
    token: headers ? tokenOf(headers) : 'unknown',
    response: received?.response,
    isSent: substitute === undefined,
    sentAtMs,
    gaps: gaps.filter((gap) => typeof gap === 'string'),
  };
}

/** What Chromium, Safari and Playwright say of responses that the service did not send. */
function substituteOf(entry: unknown): RecordingGap | undefined {
  if (memberOf(entry, '_wasFulfilled') === true) return 'response-from-a-test';
  const origins = [textIn(entry, '_fromCache'), textIn(entry, '_fetchType')];
  const isCached = origins.some((origin) => /^(memory|disk)\b/i.test(origin));
  return isCached ? 'response-from-a-cache' : undefined;
}

function tokenOf({ authorization }: Headers): SampleRequest['token'] | undefined {
  if (!authorization) return undefined;
  const [, token = ''] = authorization.split(' ');
  if (token.startsWith(MADE_UP_TOKEN)) return 'made-up';
  return isRandom(token) ? 'alike' : 'given';
}

/** Insomnia has the parameters of its form in `queryString` alone. */
function queryOf(url: URL, queryString: unknown): SampleRequest['query'] {
  const inUrl = [...url.searchParams];
  const names = inUrl.map(([name]) => name);
  const elsewhere = pairsOf(queryString).filter(([name]) => {
    // Chromium leaves these names encoded.
    const decoded = percentDecoded(name.replaceAll('+', ' '));
    return !names.includes(name) && !names.includes(decoded ?? name);
  });
  return [...inUrl, ...elsewhere];
}

/** Leaves out the pseudo-header fields of HTTP/2; undefined if the recording has no header fields. */
function readHeaders(message: unknown): Headers | undefined {
  const pairs = pairsOf(memberOf(message, 'headers'));
  // Every message has some: an empty list is one that the recorder did not get, or that was removed.
  if (pairs.length === 0) return undefined;
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (name.startsWith(':')) continue;
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    // Chromium joins repeated fields into one value, separated by newlines.
    const line = value.replaceAll('\n', ', ');
    headers.set(key, earlier === undefined ? line : `${earlier}, ${line}`);
  }
  return Object.fromEntries(headers);
}

/** What recorders write as the media type if they got none; Chromium guesses `text/plain`. */
const NO_TYPE = /^(|(application\/)?x-unknown|application\/octet-stream|text\/plain)\s*(;|$)/i;

function readResponse(entry: unknown, readAttached: ReadAttached) {
  const response = memberOf(entry, 'response');
  const content = memberOf(response, 'content');
  const status = numberIn(response, 'status');
  const shown = readHeaders(response);
  const type = textIn(content, 'mimeType').trim();
  const isElsewhere = !shown?.['content-type'] && !NO_TYPE.test(type);
  const headers = { ...shown, ...(isElsewhere && { 'content-type': type }) };
  const body = readResponseBody(response, status, headers, readAttached);
  const isUnknown = typeof body === 'string';
  const value: SampleResponse = {
    status,
    headers,
    body: isUnknown ? { kind: 'unknown' } : body,
    ...(!shown && !isElsewhere && { isTypeUnknown: true }),
  };
  const gaps = [!shown && 'no-response-headers', isUnknown && gapOf('response', body)] as const;
  return { response: value, gaps };
}

/** Why a recording lacks a body. */
type Lack = 'missing' | 'in-another-file' | 'cut-off' | 'not-text';

function gapOf<Message extends 'request' | 'response'>(message: Message, lack: Lack) {
  return lack === 'missing'
    ? (`no-${message}-body` as const)
    : (`${message}-body-${lack}` as const);
}

/** The text of a body, empty if it has none, or why the recording lacks it. */
type Found =
  | { readonly text: string; readonly lack?: undefined }
  | { readonly lack: Lack; readonly text?: undefined };

const EMPTY: Found = { text: '' };
const MISSING: Found = { lack: 'missing' };

function readResponseBody(
  response: unknown,
  status: number,
  headers: Headers,
  readAttached: ReadAttached,
): SampleBody | Lack {
  if (WITHOUT_BODY.includes(status)) return { kind: 'empty' };
  const content = memberOf(response, 'content');
  const found =
    readText(content, readAttached) ?? (isEmpty(response, content, headers) ? EMPTY : MISSING);
  if (found.lack) return found.lack;
  const body = bodyOf(found.text);
  const isCut =
    body.kind === 'text' &&
    isCutOff(found.text, numberIn(content, 'size'), headers['content-type']);
  return isCut ? 'cut-off' : body;
}

/**
 * True if the response had no body. A recording without a text says nothing of the body, unless its
 * sizes do; and even an empty text may be that of a body which was not kept.
 */
function isEmpty(response: unknown, content: unknown, headers: Headers): boolean {
  const length = lengthIn(headers);
  const sizes = [numberIn(content, 'size'), numberIn(response, 'bodySize'), length];
  const isBroken = [memberOf(response, '_error'), memberOf(response, '_failureText')].some(Boolean);
  const text = memberOf(content, 'text');
  if (isBroken || text === null || sizes.some((size) => size > 0)) return false;
  return text === '' || length === 0 || sizes.slice(0, 2).every((size) => size === 0);
}

/** Methods whose requests have a body, even if a recording shows none. */
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

function readRequestBody(
  request: unknown,
  method: string,
  headers: Headers | undefined,
  readAttached: ReadAttached,
): Found {
  const postData = memberOf(request, 'postData');
  const form = new URLSearchParams(
    pairsOf(memberOf(postData, 'params')).map(([name, value]): [string, string] => [name, value]),
  );
  const found = readText(postData, readAttached) ?? (form.size > 0 && { text: String(form) });
  if (!found) return WITH_BODY.includes(method) && !isSentEmpty(request, headers) ? MISSING : EMPTY;
  if (found.lack || typeof valueOfBody(found.text) !== 'string') return found;
  const type = headers?.['content-type'] ?? textIn(postData, 'mimeType');
  return isCutOff(found.text, numberIn(request, 'bodySize'), type) ? { lack: 'cut-off' } : found;
}

/** Chromium has a size of 0 for bodies that it could not read, too. */
function isSentEmpty(request: unknown, headers: Headers | undefined): boolean {
  if (!headers) return false;
  const isAnnounced = ['content-type', 'transfer-encoding'].some((name) => name in headers);
  const length = lengthIn(headers);
  return length === 0 || (numberIn(request, 'bodySize') === 0 && !isAnnounced && !(length > 0));
}

/** Undefined if there is neither a text nor a file that has it. */
function readText(part: unknown, readAttached: ReadAttached): Found | undefined {
  const text = textIn(part, 'text');
  if (text !== '') {
    const isLabelled = /^base64$/i.test(textIn(part, 'encoding'));
    // Firefox labels some plain texts, too.
    const isBase64 = isLabelled && !/[^\w+/=\s-]/.test(text);
    return isBase64 ? textOf(Buffer.from(text, 'base64')) : { text };
  }
  const file = textIn(part, '_file') || textIn(part, '_sha1');
  if (file === '') return undefined;
  const bytes = readAttached(file);
  return bytes ? textOf(bytes) : { lack: 'in-another-file' };
}

function textOf(bytes: Buffer): Found {
  return isUtf8(bytes) ? { text: bytes.toString() } : { lack: 'not-text' };
}

/** True if text that is not JSON may be just the beginning of a body. */
function isCutOff(text: string, size: number, type: string | undefined): boolean {
  const bytes = Buffer.byteLength(text);
  const isMeantAsJson = type !== undefined && isJson(type);
  return bytes < size || (bytes !== size && isMeantAsJson);
}

function lengthIn({ 'content-length': length }: Headers): number {
  return length === undefined ? Number.NaN : Number(length);
}

/** Empty if there is none. */
function textIn(part: unknown, name: string): string {
  const value = memberOf(part, name);
  return typeof value === 'string' ? value : '';
}

/** A number, which some recorders write as text; NaN if there is none. */
function numberIn(part: unknown, name: string): number {
  const value = memberOf(part, name);
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
    ? Number(value)
    : Number.NaN;
}

/** Names with their values, from a list of `{ name, value }` or from an object. */
function pairsOf(given: unknown): readonly (readonly [name: string, value: string])[] {
  const pairs: readonly (readonly [unknown, unknown])[] = Array.isArray(given)
    ? given.map((one) => [memberOf(one, 'name'), memberOf(one, 'value')])
    : Object.entries(isObject(given) ? given : {}).flatMap(([name, value]) =>
        [value].flat().map((one): [string, unknown] => [name, one]),
      );
  return pairs.flatMap(([name, value]) => {
    const isShown = typeof value === 'string' || typeof value === 'number';
    return typeof name === 'string' && isShown ? [[name, String(value)] as const] : [];
  });
}
