import {
  createRouteTable,
  type OpenApiDocument,
  type OperationId,
  type OperationRoute,
  ROUTES,
  valuesOfPath,
} from '#spec';
import { OptionError } from '../../../core/errors/option-error.js';
import { cut, percentDecoded } from '../../../core/values/received-value.js';
import { sortableInstant } from '../../../core/values/time.js';
import { NO_RESPONSE, type Sample } from '../seen/samples.js';
import { prefixOf } from '../settle-options.js';
import { isAnswered, type ReadAttached, readAddress, readExchange } from './har-entry.js';
import { entriesOfHar } from './har-file.js';

interface Reading {
  /** The name of the file, for errors. */
  readonly name: string;
  readonly document: OpenApiDocument;
  /** What precedes the document's paths: `/v1`, or a URL such as `https://host/v1`. */
  readonly basePath?: string | undefined;
  readonly readAttached?: ReadAttached;
}

/** A call of one of the document's operations. */
type Call = ReturnType<typeof readCall>[number];

type RouteOf = (method: string, path: string) => OperationRoute | undefined;

const MAX_SUGGESTIONS = 3;

/**
 * Reads the calls of the document's operations from the text of a HAR 1.2 file. Throws an
 * `OptionError` if the file is anything else, has no answered call, or has such calls to several
 * hosts.
 */
export function readRecording(
  text: string,
  { name, document, basePath, readAttached = () => undefined }: Reading,
) {
  const routes = createRouteTable(document, Object.keys(ROUTES));
  // HEAD calls no operation: its response has no body.
  const routeOf: RouteOf = (method, path) =>
    method === 'HEAD' ? undefined : routes.match(path)?.routes.get(method);
  const entries = entriesOfHar(text, name);
  const base = readBase(basePath);
  const all = entries.flatMap((entry) => readCall(entry, base, routeOf, readAttached));
  const answered = all.filter(({ response }) => response !== undefined);
  const [host, ...others] = new Set(answered.map(({ url }) => url.host));
  if (host === undefined) {
    throw new OptionError(
      `The recording '${name}' ${whyUnusable(all, entries, basePath, routeOf)}`,
    );
  }
  if (others.length > 0) {
    throw new OptionError(
      `The recording '${name}' has calls to ${others.length + 1} hosts; expected calls to one service; ${suggestionOf(answered.map(({ url }) => `${url.origin}${base.path}`))}`,
    );
  }
  const calls = all.filter(({ url }) => url.host === host);
  return { host, ...readSamples(calls), passedOver: entries.length - calls.length };
}

/** Says what the recording has instead of answered calls, and what to do. */
function whyUnusable(
  calls: readonly Call[],
  entries: readonly unknown[],
  basePath: string | undefined,
  routeOf: RouteOf,
): string {
  if (!entries.some(readAddress)) {
    return "has no absolute URLs; expected them, as HAR 1.2 prescribes; record it again with another tool, or put the service's address before each URL.";
  }
  const below = basePath === undefined ? '' : ` below '${basePath}'`;
  const received = `contains no answered call to an operation${below}; expected calls such as GET /measurements`;
  const again = 'record it again while your client calls the service';
  if (calls.length > 0) return `${received}, and their responses; ${again}, and it responds.`;
  const addresses = entries.filter(isAnswered).flatMap((entry) => readAddress(entry) ?? []);
  const meant = suggestionOf(
    addresses.flatMap(({ method, url }) => prefixBefore(method, url, routeOf)),
  );
  const named = 'or name its base path with --base-path (basePath in the library)';
  return `${received}; ${meant ?? `${again}, ${named}.`}`;
}

function readSamples(calls: readonly Call[]) {
  const times = calls.map(({ sentAtMs }) => sentAtMs).filter((ms) => !Number.isNaN(ms));
  // Insomnia writes the time at which it saved the file.
  const isOfExport =
    calls.length > 1 && new Set(calls.flatMap(({ sentAt }) => sentAt ?? [])).size === 1;
  const timed = isOfExport ? calls.map(withoutTime) : calls;
  // If some requests show a token not made up by `settle`, those that show none had none.
  const tokenOfOthers = calls.some(({ request }) => request.token === 'given') ? 'none' : 'unknown';
  const sent = inSequence(
    timed
      .filter(({ isSent }) => isSent)
      .map(({ request, response = NO_RESPONSE, sentAtMs, sentAt }) => {
        const { token = tokenOfOthers } = request;
        return { request: { ...request, token }, response, sentAtMs, sentAt };
      }),
  );
  return {
    samples: sent.filter(({ response }) => response !== NO_RESPONSE),
    unanswered: sent.filter(({ response }) => response === NO_RESPONSE),
    times,
    gaps: timed.flatMap(({ gaps }) => gaps),
    tokens: calls.map(({ token }) => token),
  };
}

function withoutTime(call: Call): Call {
  const gaps = [...new Set([...call.gaps, 'no-time' as const])];
  return { ...call, sentAtMs: Number.NaN, sentAt: undefined, gaps };
}

/** `path` is encoded, without a trailing slash. */
function readBase(basePath = '') {
  const isAddress = URL.canParse(basePath);
  const url = new URL(isAddress ? basePath : `http://any/${basePath.replace(/^\/+/, '')}`);
  return { host: isAddress ? url.host : undefined, path: prefixOf(url) };
}

/** The call of an operation that an entry has, as a list of at most one. */
function readCall(
  entry: unknown,
  base: ReturnType<typeof readBase>,
  routeOf: RouteOf,
  readAttached: ReadAttached,
) {
  const address = readAddress(entry);
  if (!address?.url.pathname.startsWith(`${base.path}/`)) return [];
  const { method, url } = address;
  if ((base.host ?? url.host) !== url.host) return [];
  const path = url.pathname.slice(base.path.length);
  const route = routeOf(method, path);
  if (!route) return [];
  const values = Object.entries(valuesOfPath(route.template, path)).map(([name, value]) => [
    name,
    percentDecoded(value) ?? value,
  ]);
  const operationId = route.operationId as OperationId;
  const exchange = readExchange(entry, url, readAttached);
  const request = { operationId, path: Object.fromEntries(values), ...exchange.request };
  return [{ ...exchange, url, request }];
}

/** Sorts by time; a request without a time stays behind the one before it in its recording. */
export function inSequence(...recordings: readonly (readonly Sample[])[]): readonly Sample[] {
  const timed = recordings.flatMap((samples) => {
    let latest = '';
    return samples.map((sample) => {
      const { sentAtMs, sentAt } = sample;
      const isTimed = !Number.isNaN(sentAtMs);
      latest = sentAt ?? (isTimed ? sortableInstant(new Date(sentAtMs).toISOString()) : latest);
      // Sorted again among others, a request without a time keeps its place.
      return { sample: isTimed || latest === '' ? sample : { ...sample, sentAt: latest }, latest };
    });
  });
  return timed
    .sort((one, other) => (one.latest < other.latest ? -1 : Number(one.latest > other.latest)))
    .map(({ sample }) => sample);
}

/** The base URL below which the entry would call an operation, as a list of at most one. */
function prefixBefore(method: string, url: URL, routeOf: RouteOf): string[] {
  const segments = url.pathname.split('/');
  const start = Object.values(ROUTES)
    .map((route) => segments.length + 1 - route.split('/').length)
    .sort((one, other) => one - other)
    .find((at) => at > 0 && routeOf(method, `/${segments.slice(at).join('/')}`));
  return start === undefined ? [] : [`${url.origin}${segments.slice(0, start).join('/')}`];
}

/** Asks whether one of these base URLs was meant; shows only their paths if they share a host. */
function suggestionOf(addresses: readonly string[]): string | undefined {
  const urls = [...new Set(addresses)].map((address) => new URL(address));
  if (urls.length === 0) return undefined;
  const isOneHost = new Set(urls.map(({ host }) => host)).size === 1;
  const bases = urls.map(({ href, pathname }) => (isOneHost ? pathname : href.replace(/\/$/, '')));
  const listed = bases.slice(0, MAX_SUGGESTIONS).map((base) => cut(base));
  return `did you mean --base-path ${listed.join(' or ')} (basePath in the library)?`;
}
