import { isUtf8 } from 'node:buffer';
import { valueOfBody } from '#spec';
import { isJson, WITHOUT_BODY } from '../../../core/values/body-type.js';
import { memberOf, valueAt } from '../../../core/values/json-value.js';
import { percentDecoded } from '../../../core/values/received-value.js';
import { msOf, sortableInstant } from '../../../core/values/time.js';
import { contentLengthOf, type Headers, mediaTypeOf, singleOf } from '../seen/header-fields.js';
import { isRandom, MADE_UP_TOKEN } from '../seen/made-up-values.js';
import { bodyOf, type SampleRequest, type SampleResponse } from '../seen/samples.js';
import type { RecordingGap } from '../settle-report.js';
import { decompressed } from './decompressed.js';

/** Reads a file beside the recording; undefined if there is none. */
export type ReadAttached = (name: string) => Buffer | undefined;

/** Reads what an entry of `log.entries` calls; undefined unless it is an HTTP request. */
export function readAddress(entry: unknown) {
  const address = textAt(entry, '/request/url');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return { method: textAt(entry, '/request/method').toUpperCase(), url };
}

/** True if there was a response: aborted and blocked requests have the status 0 or -1. */
export function isAnswered(entry: unknown): boolean {
  const status = numberAt(entry, '/response/status');
  return status >= 100 && status < 600;
}

/**
 * Reads a request and its response, as far as a recording has them. A part counts as given only
 * where the entry shows it, possibly in another place: the media type in `content`, the query in
 * `queryString`, a body in a file beside the recording.
 */
export function readExchange(entry: unknown, url: URL, readAttached: ReadAttached) {
  const sent = readMessage(entry, 'request', readAttached);
  const token = recordedToken(sent.headers);
  const startedAt = textAt(entry, '/startedDateTime');
  const sentAtMs = msOf(startedAt);
  const substitute = substituteOf(entry);
  const isReceived = isAnswered(entry) && !substitute;
  const received = isReceived ? readMessage(entry, 'response', readAttached) : undefined;
  const gaps: readonly (RecordingGap | undefined | false)[] = [
    substitute ?? (!received && 'no-response'),
    received && !received.headers && 'no-response-headers',
    received?.gap,
    !sent.headers && 'no-request-headers',
    sent.gap,
    Number.isNaN(sentAtMs) && 'no-time',
  ];
  return {
    request: {
      query: queryOf(url, valueAt(entry, '/request/queryString')),
      ...(sent.gap && { isBodyUnknown: true as const }),
      ...(sent.text && { body: valueOfBody(sent.text) }),
      token: sent.headers ? kindOf(token) : 'unknown',
    },
    /** The text of its token; empty if the recording shows none. */
    token,
    /** Undefined if there was none. */
    response: received && responseOf(entry, received),
    /** False if a cache or a test responded in place of the service. */
    isSent: substitute === undefined,
    /** NaN if the recording lacks it. */
    sentAtMs,
    /** The same as a text that sorts to its last digit; undefined if the recording lacks it. */
    sentAt: Number.isNaN(sentAtMs) ? undefined : sortableInstant(startedAt),
    /** What the recording lacks. */
    gaps: gaps.filter((one) => typeof one === 'string'),
  };
}

/** What Chromium, Safari and Playwright say of responses that the service did not send. */
function substituteOf(entry: unknown): RecordingGap | undefined {
  if (memberOf(entry, '_wasFulfilled') === true) return 'response-from-a-test';
  const origins = [textAt(entry, '/_fromCache'), textAt(entry, '/_fetchType')];
  const isCached = origins.some((origin) => /^(memory|disk)\b/i.test(origin));
  return isCached ? 'response-from-a-cache' : undefined;
}

/** Empty if the header fields show none: it may have been removed from them. */
function recordedToken({ authorization }: Headers = {}): string {
  return singleOf(authorization).split(' ').at(-1) ?? '';
}

function kindOf(token: string): SampleRequest['token'] | undefined {
  if (token === '') return undefined;
  if (token.startsWith(MADE_UP_TOKEN)) return 'made-up';
  return isRandom(token) ? 'alike' : 'given';
}

/** Insomnia has the parameters of its form in `queryString` alone. */
function queryOf({ searchParams: inUrl }: URL, queryString: unknown): SampleRequest['query'] {
  const elsewhere = pairsOf(queryString).filter(([name]) => {
    // Chromium leaves these names encoded.
    const decoded = percentDecoded(name.replaceAll('+', ' ')) ?? name;
    return !inUrl.has(name) && !inUrl.has(decoded);
  });
  return [...inUrl, ...elsewhere];
}

/** Leaves out the pseudo-header fields of HTTP/2; undefined if the recording has no header fields. */
function readHeaders(entry: unknown, message: Message): Headers | undefined {
  const pairs = pairsOf(valueAt(entry, `/${message}/headers`));
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

type Message = 'request' | 'response';

/** Where an entry has the body of each message and its size, and whether there was none. */
const BODIES = {
  request: { part: '/request/postData', size: '/request/bodySize', isEmpty: isSentEmpty },
  response: { part: '/response/content', size: '/response/content/size', isEmpty: isReceivedEmpty },
};

/** What recorders write as the media type if they got none; Chromium guesses `text/plain`. */
const NO_TYPE = /^(|(application\/)?x-unknown|application\/octet-stream|text\/plain)\s*(;|$)/i;

/** Reads a message. Its text is empty if it has no body, or if the recording lacks that. */
function readMessage(entry: unknown, message: Message, readAttached: ReadAttached) {
  const { part, size, isEmpty } = BODIES[message];
  const headers = readHeaders(entry, message);
  const elsewhere = textAt(entry, `${part}/mimeType`).trim();
  const type = headers?.['content-type'] || (NO_TYPE.test(elsewhere) ? '' : elsewhere);
  const found = readText(valueAt(entry, part), headers ?? {}, readAttached);
  const missing = numberAt(entry, size) - Buffer.byteLength(found.text ?? '');
  // Text that is not JSON may be just the beginning of a body.
  const mayBeCut =
    missing > 0 || (missing !== 0 && isJson(mediaTypeOf({ 'content-type': type }) ?? ''));
  const isCut = found.text !== undefined && bodyOf(found.text).kind === 'text' && mayBeCut;
  const { text = '', lack }: FoundText = isCut ? { lack: 'cut-off' } : found;
  const isLacking = lack !== undefined && !(lack === 'missing' && isEmpty(entry, headers));
  return { headers, type, text, gap: isLacking ? gapOf(message, lack) : undefined };
}

function gapOf(message: Message, lack: Lack): RecordingGap {
  return lack === 'missing' ? `no-${message}-body` : `${message}-body-${lack}`;
}

type Received = ReturnType<typeof readMessage>;

function responseOf(entry: unknown, { headers, type, text, gap }: Received): SampleResponse {
  return {
    status: numberAt(entry, '/response/status'),
    headers: { ...headers, ...(type && { 'content-type': type }) },
    body: gap ? { kind: 'unknown' } : bodyOf(text),
    ...(!headers && !type && { isTypeUnknown: true }),
  };
}

/**
 * True if a response without a text had no body. A recording without a text says nothing of the
 * body, unless its sizes do; and even an empty text may be that of a body which was not kept.
 */
function isReceivedEmpty(entry: unknown, headers: Headers | undefined): boolean {
  const response = memberOf(entry, 'response');
  if (WITHOUT_BODY.includes(numberAt(response, '/status'))) return true;
  const text = valueAt(response, '/content/text');
  const shown = [numberAt(response, '/content/size'), numberAt(response, '/bodySize')];
  const length = contentLengthOf(headers ?? {});
  const isBroken = [memberOf(response, '_error'), memberOf(response, '_failureText')].some(Boolean);
  if (isBroken || text === null || [...shown, length].some((size) => size > 0)) return false;
  return text === '' || length === 0 || shown.every((size) => size === 0);
}

/** Chromium has a size of 0 for bodies that it could not read, too. */
function isSentEmpty(entry: unknown, headers: Headers | undefined): boolean {
  if (!/^(POST|PUT|PATCH)$/i.test(textAt(entry, '/request/method'))) return true;
  if (!headers) return false;
  const isAnnounced = ['content-type', 'transfer-encoding'].some((name) => name in headers);
  const length = contentLengthOf(headers);
  const size = numberAt(entry, '/request/bodySize');
  return length === 0 || (size === 0 && !isAnnounced && !(length > 0));
}

/** Why a recording lacks a body. */
type Lack = 'missing' | 'in-another-file' | 'not-text' | 'cut-off';

interface FoundText {
  readonly text?: string;
  readonly lack?: Lack;
}

function readText(part: unknown, headers: Headers, readAttached: ReadAttached): FoundText {
  const text = textAt(part, '/text');
  // Firefox labels some plain texts as base64, too.
  const isBase64 = /^base64$/i.test(textAt(part, '/encoding')) && !/[^\w+/=\s-]/.test(text);
  if (text !== '') return isBase64 ? decoded(Buffer.from(text, 'base64'), headers) : { text };
  const file = textAt(part, '/_file') || textAt(part, '/_sha1');
  const bytes = file === '' ? undefined : readAttached(file);
  if (file !== '') return bytes ? decoded(bytes, headers) : { lack: 'in-another-file' };
  const form = pairsOf(memberOf(part, 'params'));
  return form.length > 0 ? { text: String(new URLSearchParams(form)) } : { lack: 'missing' };
}

function decoded(bytes: Buffer, headers: Headers): FoundText {
  const whole = decompressed(bytes, headers);
  return isUtf8(whole) ? { text: whole.toString() } : { lack: 'not-text' };
}

/** Empty if there is none. */
function textAt(value: unknown, pointer: string): string {
  const text = valueAt(value, pointer);
  return typeof text === 'string' ? text : '';
}

/** NaN if there is none. */
function numberAt(value: unknown, pointer: string): number {
  const number = valueAt(value, pointer);
  return typeof number === 'number' ? number : Number.NaN;
}

/** Names with their values, from a list of `{ name, value }`. */
function pairsOf(given: unknown): [name: string, value: string][] {
  return [given ?? []]
    .flat()
    .map((one): [string, string] => [textAt(one, '/name'), textAt(one, '/value')])
    .filter(([name]) => name !== '');
}
