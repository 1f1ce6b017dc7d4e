import type { components } from '../../../generated/control.js';
import type { Known } from './hide-credentials.js';
import type { NotedRequest, NotedResponse } from './noted-request.js';
import { fieldIn, type HeaderField } from './shown-headers.js';
import { ShownRequest } from './shown-request.js';

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

/** An archive of the requests that have ended, without credentials. */
export function harOf(
  requests: readonly NotedRequest[],
  { version, reasonPhrases }: HarRules,
  known: Known,
): HarParts {
  const ended = requests.filter(({ outcome }) => outcome !== undefined);
  const isWhole = ended.every(
    (one) => one.status === undefined || one.response || one.recentResponse,
  );
  const creator = { name: 'usage-billing-mock', version };
  return {
    log: { version: '1.2', creator, ...(!isWhole && { comment: HOW_TO_KEEP }) },
    entries: entriesOf(ended, reasonPhrases, known),
  };
}

function* entriesOf(
  requests: readonly NotedRequest[],
  ...rest: readonly [HarRules['reasonPhrases'], Known]
): Generator<Entry, void> {
  for (const noted of requests) yield entryOf(noted, ...rest);
}

export function wholeHar({ log, entries }: HarParts): Har {
  return { log: { ...log, entries: [...entries] } };
}

function entryOf(
  noted: NotedRequest,
  reasonPhrases: HarRules['reasonPhrases'],
  known: Known,
): Entry {
  const { id, atMs, operationId, durationMs = 0, status = NO_RESPONSE } = noted;
  const shown = new ShownRequest(noted, known);
  return {
    startedDateTime: new Date(atMs).toISOString(),
    time: durationMs,
    request: requestOf(noted, shown),
    response: {
      status,
      statusText: reasonPhrases[status] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      ...responseOf(noted, shown),
      headersSize: -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: id,
    ...(operationId !== undefined && { _operationId: operationId }),
  };
}

function requestOf(noted: NotedRequest, shown: ShownRequest): Entry['request'] {
  const { method, body } = noted;
  const { fields, query = '', bodyText: text } = shown;
  return {
    method,
    url: urlOf(noted, shown),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: fields,
    queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: typeof body === 'object' ? body.bytes : new TextEncoder().encode(body).length,
    ...(text !== undefined && {
      postData: { mimeType: fieldIn(fields, 'content-type') ?? 'application/json', text },
    }),
    ...(typeof body === 'object' && {
      comment: `The body of ${body.bytes} bytes was not kept; its SHA-256 is ${body.hash}.`,
    }),
  };
}

/** The URL with the host of the Host header, or with localhost if that is invalid. */
function urlOf(noted: NotedRequest, shown: ShownRequest): string {
  const { basePath = '', isEncrypted = false } = noted;
  const scheme = isEncrypted ? 'https' : 'http';
  const host = fieldIn(shown.fields, 'host') ?? '';
  const origin = `${scheme}://${host}`;
  return `${URL.canParse(origin) ? origin : `${scheme}://localhost`}${basePath}${shown.target}`;
}

function responseOf(noted: NotedRequest, shown: ShownRequest) {
  const { status, responseBytes = -1 } = noted;
  const response = noted.response ?? noted.recentResponse?.();
  const headers: HeaderField[] = response ? shown.responseFields(response) : [];
  return {
    headers,
    content: {
      size: Math.max(0, response?.bytes ?? responseBytes),
      mimeType: fieldIn(headers, 'content-type') ?? 'x-unknown',
      ...(status !== undefined && textOf(response, shown)),
    },
    redirectURL: fieldIn(headers, 'location') ?? '',
    bodySize: response?.bytes ?? responseBytes,
  };
}

function textOf(response: NotedResponse | undefined, shown: ShownRequest): object {
  if (!response) return { comment: HOW_TO_KEEP };
  const text = shown.responseText(response);
  if (text === undefined)
    return { comment: `The body has ${response.bytes} bytes and was not kept.` };
  return { text, ...(response.isBase64 && { encoding: 'base64' }) };
}
