import { isUtf8 } from 'node:buffer';
import { valueOfBody } from '../../accounts/journal/redact-request.js';
import { OptionError } from '../../errors/option-error.js';
import { WITHOUT_BODY } from '../../stubs/header-fields.js';
import { isObject, memberOf, valueAt } from '../../values/json-value.js';
import { parseJson, TooDeepError } from '../../values/parse-json.js';
import { cut, shown } from '../../values/received-value.js';
import { isRandom, MADE_UP_TOKEN } from '../seen/made-up-values.js';
import { bodyOf, type Sample, type SampleBody, type SampleRequest } from '../seen/samples.js';

/** A recorded request and its response; path and query are still encoded. */
export interface RecordedEntry
  extends Omit<Sample, 'request'>,
    Pick<SampleRequest, 'body' | 'token'> {
  readonly method: string;
  readonly url: URL;
}

/** Reads an entry of `log.entries`; undefined unless it is an HTTP request with a response. */
export function readEntry(entry: unknown): RecordedEntry | undefined {
  const [request, response] = [memberOf(entry, 'request'), memberOf(entry, 'response')];
  const method = memberOf(request, 'method');
  const url = urlOf(memberOf(request, 'url'));
  const status = memberOf(response, 'status');
  // Aborted and blocked requests have the status 0 or -1.
  const hasResponse = typeof status === 'number' && status >= 100 && status < 600;
  if (typeof method !== 'string' || !url || !hasResponse) return undefined;
  const headers = readHeaders(response);
  const startedAt = memberOf(entry, 'startedDateTime');
  return {
    method: method.toUpperCase(),
    url,
    body: readPostData(memberOf(request, 'postData')),
    token: tokenOf(readHeaders(request)),
    response: { status, headers, body: readBody(memberOf(response, 'content'), status, headers) },
    sentAtMs: typeof startedAt === 'string' ? Date.parse(startedAt) : Number.NaN,
  };
}

function tokenOf({ authorization }: Readonly<Record<string, string>>): SampleRequest['token'] {
  if (!authorization) return 'unknown';
  const [, token = ''] = authorization.split(' ');
  if (token.startsWith(MADE_UP_TOKEN)) return 'made-up';
  return isRandom(token) ? 'alike' : 'given';
}

function urlOf(text: unknown): URL | undefined {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  return /^https?:$/.test(url?.protocol ?? '') ? url : undefined;
}

/** Leaves out the pseudo-header fields of HTTP/2. */
function readHeaders(message: unknown): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairsOf(memberOf(message, 'headers'))) {
    if (typeof value !== 'string' || name.startsWith(':')) continue;
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    // Chromium joins repeated fields into one value, separated by newlines.
    const line = value.replaceAll('\n', ', ');
    headers.set(key, earlier === undefined ? line : `${earlier}, ${line}`);
  }
  return Object.fromEntries(headers);
}

function readBody(
  content: unknown,
  status: number,
  { 'content-length': length }: Readonly<Record<string, string>>,
): SampleBody {
  if (WITHOUT_BODY.includes(status)) return { kind: 'empty' };
  const given = memberOf(content, 'size');
  const size = typeof given === 'number' ? given : -1;
  const text = textOf(content);
  const isEmpty = (text === '' ? size <= 0 : size === 0) && !(Number(length) > 0);
  if (text === undefined || text === '') return { kind: isEmpty ? 'empty' : 'unknown' };
  const body = bodyOf(text);
  // Firefox truncates long bodies.
  const isCut = body.kind === 'text' && Buffer.byteLength(text) < size;
  return isCut ? { kind: 'unknown' } : body;
}

/** The value of a JSON body; the text of any other. */
function readPostData(postData: unknown): unknown {
  const form = new URLSearchParams();
  for (const [name, value] of pairsOf(memberOf(postData, 'params'))) {
    form.append(name, typeof value === 'string' ? value : '');
  }
  const text = textOf(postData) || form.toString();
  return text === '' ? undefined : valueOfBody(text);
}

function textOf(content: unknown): string | undefined {
  const text = memberOf(content, 'text');
  if (typeof text !== 'string') return undefined;
  if (memberOf(content, 'encoding') !== 'base64') return text;
  const bytes = Buffer.from(text, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

function pairsOf(list: unknown): readonly (readonly [name: string, value: unknown])[] {
  return (Array.isArray(list) ? list : []).flatMap((one) => {
    const name = memberOf(one, 'name');
    return typeof name === 'string' ? [[name, memberOf(one, 'value')] as const] : [];
  });
}

const RECORD_AGAIN = 'record it again while your client calls the service';
const ANOTHER_FILE = 'choose another file';
const BEGINNING = 20;
const MOST_NAMES = 5;

/** The entries of a HAR file, unchecked. Throws an `OptionError` if there are none. */
export function entriesOfHar(text: string, name: string): readonly unknown[] {
  const trimmed = text.trim();
  const refuse = (received: string, advice: string) =>
    new OptionError(
      `The recording '${name}' ${received}; expected a HAR 1.2 file, as browsers, Playwright and proxies write it; ${advice}.`,
    );
  let har: unknown;
  try {
    har = parseJson(trimmed);
  } catch (error) {
    if (error instanceof TooDeepError) throw refuse(`is ${error.message}`, ANOTHER_FILE);
    throw refuse(...describeText(trimmed, text.length));
  }
  const entries = valueAt(har, '/log/entries');
  if (!Array.isArray(entries)) {
    throw refuse(`is ${describeValue(har)}, without log.entries`, ANOTHER_FILE);
  }
  if (entries.length === 0) throw refuse('has no entries', RECORD_AGAIN);
  return entries;
}

/** Describes text that is not JSON, and what to do. The parser's message could quote a secret. */
function describeText(text: string, length: number): readonly [received: string, advice: string] {
  if (text === '') return ['is empty', RECORD_AGAIN];
  if (text.startsWith('PK\u0003\u0004')) {
    return [
      'is a zip archive',
      "record with content: 'embed', or unpack it and choose the .har file",
    ];
  }
  const beginning = cut(text, BEGINNING);
  if (/[\0\ufffd]/.test(beginning)) return ['is binary', ANOTHER_FILE];
  if (!text.startsWith('{')) {
    return [`is not JSON: it begins with ${shown(beginning)}`, ANOTHER_FILE];
  }
  return text.endsWith('}')
    ? ['is not valid JSON', 'save it again']
    : [`ends after ${length} characters in the middle of its JSON`, 'save all of it again'];
}

function describeValue(value: unknown): string {
  if (value === null) return 'JSON of null';
  if (!isObject(value)) return `JSON of a ${Array.isArray(value) ? 'list' : typeof value}`;
  const names = Object.keys(value)
    .slice(0, MOST_NAMES)
    .map((one) => shown(cut(one, BEGINNING)));
  return `a JSON object with ${names.length === 0 ? 'no members' : `the members ${names.join(', ')}`}`;
}
