import { mapEach } from '../../../core/store/work-in-steps.js';
import type { components } from '../../../generated/control.js';
import type { NotedRequest, NotedResponse } from './journal-request.js';
import { describeField, fieldIn, type HeaderField, headerFieldsOf } from './redact-headers.js';
import {
  redactBinary,
  redactBody,
  redactionOf,
  redactTarget,
  valueOfBody,
} from './redact-request.js';
import type { IsToken, Redaction } from './redact-secrets.js';

/**
 * An HTTP archive (HAR 1.2), as browsers and Playwright read and write it.
 *
 * @example
 * const har: Har = account.journal.toHar({ operationId: 'listMeasurements' });
 * console.log(har.log.entries.length, JSON.stringify(har));
 */
export type Har = components['schemas']['Har'];

type Entry = Har['log']['entries'][number];

export interface HarRules {
  /** The version of the mock. */
  readonly version: string;
  readonly reasonPhrases: Readonly<Record<number, string | undefined>>;
  readonly isToken?: IsToken;
}

/** The status of a request that got no response. Playwright leaves such a request pending. */
const NO_RESPONSE = -1;

const HOW_TO_KEEP =
  'Not every response body was kept: raise --recent-bodies, or keep all with --capture-bodies (recentBodies and captureBodies in the library). Those of failed tests are kept longest.';

/** An archive whose entries are made one at a time, because each takes a while. */
export interface HarParts {
  readonly log: Omit<Har['log'], 'entries'>;
  readonly entries: Iterable<Entry>;
}

/** An archive of the requests that have ended, without the bearer token or other secrets. */
export function harOf(requests: readonly NotedRequest[], rules: HarRules): HarParts {
  const ended = requests.filter(({ outcome }) => outcome !== undefined);
  const isWhole = ended.every(
    (one) => one.status === undefined || one.response || one.recentResponse,
  );
  const creator = { name: 'usage-billing-mock', version: rules.version };
  return {
    log: { version: '1.2', creator, ...(!isWhole && { comment: HOW_TO_KEEP }) },
    entries: mapEach(ended, (noted) => entryOf(noted, rules)),
  };
}

export function wholeHar({ log, entries }: HarParts): Har {
  return { log: { ...log, entries: [...entries] } };
}

function entryOf(noted: NotedRequest, rules: HarRules): Entry {
  const { id, atMs, operationId, durationMs = 0 } = noted;
  const redaction = redactionOf(noted, rules.isToken);
  return {
    startedDateTime: new Date(atMs).toISOString(),
    time: durationMs,
    request: requestOf(noted, redaction),
    response: responseOf(noted, rules, redaction),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: id,
    ...(operationId !== undefined && { _operationId: operationId }),
  };
}

function requestOf(noted: NotedRequest, redaction: Redaction): Entry['request'] {
  const { method, body, headerLines } = noted;
  const fields = headerFieldsOf(headerLines);
  const url = urlOf(noted, fields, redaction);
  const [, query = ''] = url.split(/\?(.*)/s);
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: shownFields(fields, redaction),
    queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: typeof body === 'object' ? body.bytes : new TextEncoder().encode(body).length,
    ...(typeof body === 'string' && {
      postData: {
        mimeType: fieldIn(fields, 'content-type') ?? 'application/json',
        text: shownText(body, headerLines, redaction),
      },
    }),
    ...(typeof body === 'object' && {
      comment: `The body of ${body.bytes} bytes was not kept; its SHA-256 is ${body.hash}.`,
    }),
  };
}

/** The URL with the host of the Host header, or with localhost if that is invalid. */
function urlOf(noted: NotedRequest, fields: readonly HeaderField[], redaction: Redaction): string {
  const { basePath = '', isEncrypted = false } = noted;
  const scheme = isEncrypted ? 'https' : 'http';
  const origin = `${scheme}://${fieldIn(fields, 'host') ?? ''}`;
  return `${URL.canParse(origin) ? origin : `${scheme}://localhost`}${basePath}${redactTarget(noted, redaction)}`;
}

function responseOf(
  noted: NotedRequest,
  { reasonPhrases }: HarRules,
  redaction: Redaction,
): Entry['response'] {
  const { status = NO_RESPONSE, responseBytes = -1 } = noted;
  const response = noted.response ?? noted.recentResponse?.();
  const fields = headerFieldsOf(response?.headerLines ?? '');
  return {
    status,
    statusText: reasonPhrases[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: shownFields(fields, redaction),
    content: {
      size: Math.max(0, response?.bytes ?? responseBytes),
      mimeType: fieldIn(fields, 'content-type') ?? 'x-unknown',
      ...textOf(noted, response, redaction),
    },
    redirectURL: redaction.hide(redaction.fields(fieldIn(fields, 'location') ?? '')),
    headersSize: -1,
    bodySize: response?.bytes ?? responseBytes,
  };
}

function textOf(
  { status }: NotedRequest,
  response: NotedResponse | undefined,
  redaction: Redaction,
): object {
  if (status === undefined) return {};
  if (!response) return { comment: HOW_TO_KEEP };
  const { text, isBase64 = false } = response;
  if (text === undefined)
    return { comment: `The body has ${response.bytes} bytes and was not kept.` };
  if (isBase64) return { text: redactBinary(text, redaction), encoding: 'base64' };
  return { text: shownText(text, response.headerLines, redaction) };
}

function shownFields(fields: readonly HeaderField[], redaction: Redaction): HeaderField[] {
  return fields.map(({ name, value }) => ({
    name,
    value: redaction.hide(describeField({ name, value }, redaction).value),
  }));
}

/**
 * The body with its secrets redacted; unchanged if it has none, because parsing would lose
 * duplicate members.
 */
function shownText(text: string, headerLines: string, redaction: Redaction): string {
  const parsed = valueOfBody(text);
  const shown = redaction.hide(redactBody(text, headerLines, redaction));
  if (parsed === text) return String(shown);
  const after = JSON.stringify(shown);
  const isClean = after === JSON.stringify(parsed) && redaction.lines(text) === text;
  return isClean ? text : after;
}
