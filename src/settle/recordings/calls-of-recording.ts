import type { OperationId } from '../../billing/operation.js';
import { OPERATIONS } from '../../billing/operation-table.js';
import { OptionError } from '../../errors/option-error.js';
import { valuesOfPath } from '../../openapi/path-template.js';
import {
  createRouteTable,
  type OpenApiDocument,
  type OperationRoute,
} from '../../openapi/route-table.js';
import { cut, percentDecoded } from '../../values/received-value.js';
import type { Sample, SampleRequest } from '../seen/samples.js';
import { prefixOf } from '../settle-options.js';
import { entriesOfHar, type RecordedEntry, readEntry } from './har-entries.js';

interface Reading {
  /** The name of the file, for errors. */
  readonly name: string;
  readonly document: OpenApiDocument;
  /** What precedes the document's paths: `/v1`, or a URL such as `https://host/v1`. */
  readonly basePath?: string | undefined;
}

type RouteOf = (method: string, path: string) => OperationRoute | undefined;

const MOST_SUGGESTIONS = 3;

/**
 * Reads the answered calls of the document's operations from the text of a HAR 1.2 file. Throws an
 * `OptionError` if the file is anything else, has no such calls, or has calls to several hosts.
 */
export function readRecording(text: string, { name, document, basePath }: Reading) {
  const routes = createRouteTable(document, Object.keys(OPERATIONS));
  // HEAD calls no operation: its response has no body.
  const routeOf: RouteOf = (method, path) =>
    method === 'HEAD' ? undefined : routes.match(path)?.routes.get(method);
  const entries = entriesOfHar(text, name);
  const answered = entries.map(readEntry).filter((entry) => entry !== undefined);
  const base = readBase(basePath);
  const found = answered.flatMap((entry) => readSample(entry, base, routeOf));
  const hosts = [...new Set(found.map(({ url }) => url.host))];
  const [host, ...others] = hosts;
  if (host === undefined) {
    const most = Math.max(...routes.paths.map(({ template }) => template.split('/').length - 1));
    const advice =
      suggestionOf(answered.flatMap((entry) => prefixBefore(entry, most, routeOf))) ??
      'record it again while your client calls the service, or name its base path with --base-path (basePath in the library).';
    const below = basePath === undefined ? '' : ` below '${basePath}'`;
    throw new OptionError(
      `The recording '${name}' contains no answered call to an operation${below}; expected calls such as GET /measurements; ${advice}`,
    );
  }
  if (others.length > 0) {
    throw new OptionError(
      `The recording '${name}' has calls to ${hosts.length} hosts; expected calls to one service; ${suggestionOf(found.map(({ url }) => `${url.origin}${base.path}`))}`,
    );
  }
  const samples = inSequence(withTokens(found.map(({ sample }) => sample)));
  return { host, samples, passedOver: entries.length - samples.length };
}

/** `path` is encoded, without a trailing slash. */
function readBase(basePath = '') {
  const isAddress = URL.canParse(basePath);
  const url = new URL(isAddress ? basePath : `http://any/${basePath.replace(/^\/+/, '')}`);
  return { host: isAddress ? url.host : undefined, path: prefixOf(url) };
}

function readSample(
  { method, url, body, token, response, sentAtMs }: RecordedEntry,
  base: ReturnType<typeof readBase>,
  routeOf: RouteOf,
): { readonly url: URL; readonly sample: Sample }[] {
  const isBelow = url.pathname.startsWith(`${base.path}/`);
  if (!isBelow || (base.host ?? url.host) !== url.host) return [];
  const path = url.pathname.slice(base.path.length);
  const route = routeOf(method, path);
  if (!route) return [];
  const values = Object.entries(valuesOfPath(route.template, path));
  const request: SampleRequest = {
    operationId: route.operationId as OperationId,
    path: Object.fromEntries(values.map(([name, value]) => [name, percentDecoded(value) ?? value])),
    query: [...url.searchParams],
    token,
    ...(body !== undefined && { body }),
  };
  return [{ url, sample: { request, response, sentAtMs } }];
}

/** If some requests show a token not made up by `settle`, those that show none had none. */
function withTokens(samples: readonly Sample[]): readonly Sample[] {
  if (!samples.some(({ request: { token } }) => token === 'given')) return samples;
  return samples.map((sample) =>
    sample.request.token === 'unknown'
      ? { ...sample, request: { ...sample.request, token: 'none' } }
      : sample,
  );
}

/** Sorts by time; a request without a time stays behind the one before it in the file. */
function inSequence(samples: readonly Sample[]): readonly Sample[] {
  let latest = 0;
  const timed = samples.map((sample) => {
    if (!Number.isNaN(sample.sentAtMs)) latest = sample.sentAtMs;
    return { ...sample, sentAtMs: latest };
  });
  return timed.sort((one, other) => one.sentAtMs - other.sentAtMs);
}

/** The base URL below which the entry would call an operation, as a list of at most one. */
function prefixBefore({ method, url }: RecordedEntry, most: number, routeOf: RouteOf): string[] {
  const segments = url.pathname.split('/');
  // No template has more than `most` segments: whatever precedes them is base path.
  for (let length = Math.max(1, segments.length - most); length < segments.length; length += 1) {
    if (!routeOf(method, `/${segments.slice(length).join('/')}`)) continue;
    return [`${url.origin}${segments.slice(0, length).join('/')}`];
  }
  return [];
}

/** Asks whether one of these base URLs was meant; shows only their paths if they share a host. */
function suggestionOf(addresses: readonly string[]): string | undefined {
  const urls = [...new Set(addresses)].map((address) => new URL(address));
  if (urls.length === 0) return undefined;
  const isOneHost = new Set(urls.map(({ host }) => host)).size === 1;
  const bases = urls.map(({ href, pathname }) => (isOneHost ? pathname : href.replace(/\/$/, '')));
  const listed = bases.slice(0, MOST_SUGGESTIONS).map((base) => cut(base));
  return `did you mean --base-path ${listed.join(' or ')} (basePath in the library)?`;
}
