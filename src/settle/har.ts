import type { OperationId } from '../billing/operation.js';
import { OPERATIONS } from '../billing/operations/index.js';
import { cut } from '../messages/received-value.js';
import { valuesOfPath } from '../openapi/path-values.js';
import { createRouteTable, type OpenApiDocument, type RouteTable } from '../openapi/route-table.js';
import { OptionError } from '../options/complete-options.js';
import type { Exchange } from './exchange.js';
import { type RecordedEntry, readEntry } from './har-entry.js';
import { entriesOfHar } from './har-file.js';

/** The calls of a service that a recording contains. */
export interface Recording {
  readonly host: string;
  /** In the sequence in which they were sent. */
  readonly exchanges: readonly Exchange[];
  /** How many entries are no answered call of an operation of the document. */
  readonly passedOver: number;
}

/** How a recording is read. */
export interface RecordingOptions {
  /** The name of the file, for errors. */
  readonly name: string;
  readonly document: OpenApiDocument;
  /** What is before the document's paths: `/v1`, or an address such as `https://host/v1`. */
  readonly basePath?: string;
}

const MOST_SUGGESTIONS = 3;

/**
 * Reads the calls of the document's operations from the text of a HAR 1.2 file. Throws an
 * `OptionError` of one sentence if the file is anything else or has no such call of one host.
 */
export function readRecording(text: string, options: RecordingOptions): Recording {
  const { name, document, basePath } = options;
  const routes = createRouteTable(document, Object.keys(OPERATIONS));
  const entries = entriesOfHar(text, name);
  const answered = entries.map(readEntry).filter((entry) => entry !== undefined);
  const base = readBase(basePath);
  const calls = answered.flatMap((entry) => findCall(entry, base, routes));
  const hosts = [...new Set(calls.map(({ entry }) => entry.url.host))];
  const [host, ...others] = hosts;
  if (host === undefined) {
    const advice =
      suggestionOf(prefixesOf(answered, routes)) ??
      'record it again while the service is called, or name its base path with --base-path.';
    const below = basePath === undefined ? '' : ` below '${basePath}'`;
    throw new OptionError(
      `The recording '${name}' contains no call of an operation${below} that was answered; expected calls such as GET /measurements; ${advice}`,
    );
  }
  if (others.length > 0) {
    throw new OptionError(
      `The recording '${name}' has calls of ${hosts.length} hosts; expected those of one service; ${suggestionOf(calls.map(({ entry }) => `${entry.url.origin}${base.path}`))}`,
    );
  }
  const exchanges = inSequence(calls).map(({ exchange }) => exchange);
  return { host, exchanges, passedOver: entries.length - exchanges.length };
}

/** The base of the service's addresses; `path` is encoded, and without a slash at its end. */
interface Base {
  readonly host: string | undefined;
  readonly path: string;
}

interface RecordedCall {
  readonly entry: RecordedEntry;
  readonly exchange: Exchange;
}

function readBase(basePath = ''): Base {
  const isAddress = basePath.includes('://');
  const address = isAddress ? basePath : `http://any/${basePath.replace(/^\/+/, '')}`;
  if (!URL.canParse(address)) {
    throw new OptionError(
      `The option 'basePath' is '${basePath}'; expected a path such as /v1, or an address such as https://billing.example/v1.`,
    );
  }
  const { host, pathname } = new URL(address);
  const [path = ''] = /^(?:\/+[^/]+)*/.exec(pathname) ?? [];
  return { host: isAddress ? host : undefined, path };
}

function findCall(entry: RecordedEntry, base: Base, routes: RouteTable): RecordedCall[] {
  const { method, url, body, token, answer, sentAtMs } = entry;
  const isBelow = url.pathname.startsWith(`${base.path}/`);
  if (!isBelow || (base.host ?? url.host) !== url.host) return [];
  const path = url.pathname.slice(base.path.length);
  const route = routeOf(routes, method, path);
  if (!route) return [];
  const call = {
    operationId: route.operationId as OperationId,
    path: decodeValues(valuesOfPath(route.template, path)),
    query: [...url.searchParams],
    token,
    ...(body !== undefined && { body }),
  };
  return [{ entry, exchange: { call, answer, sentAtMs } }];
}

function routeOf(routes: RouteTable, method: string, path: string) {
  // The answer to a HEAD has no body, and is none of an operation.
  return method === 'HEAD' ? undefined : routes.match(path)?.routes.get(method);
}

function decodeValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decode(value)]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A call without a time keeps its place after the one before it in the file. */
function inSequence(calls: readonly RecordedCall[]): RecordedCall[] {
  let latest = 0;
  const timed = calls.map(({ entry, exchange }) => {
    if (!Number.isNaN(entry.sentAtMs)) latest = entry.sentAtMs;
    return { entry, exchange: { ...exchange, sentAtMs: latest } };
  });
  return timed.sort((one, other) => one.exchange.sentAtMs - other.exchange.sentAtMs);
}

/** The addresses below which entries would be calls of operations. */
function prefixesOf(entries: readonly RecordedEntry[], routes: RouteTable): string[] {
  const most = Math.max(...routes.paths.map(({ template }) => template.split('/').length - 1));
  return entries.flatMap(({ method, url }) => {
    const segments = url.pathname.split('/');
    // What is longer than every template is no call.
    for (let length = Math.max(1, segments.length - most); length < segments.length; length += 1) {
      const path = `/${segments.slice(length).join('/')}`;
      if (routeOf(routes, method, path)) {
        return [`${url.origin}${segments.slice(0, length).join('/')}`];
      }
    }
    return [];
  });
}

/** The bases as a question; paths alone if they are of one host. */
function suggestionOf(addresses: readonly string[]): string | undefined {
  const urls = [...new Set(addresses)].map((address) => new URL(address));
  if (urls.length === 0) return undefined;
  const isOneHost = new Set(urls.map(({ host }) => host)).size === 1;
  const bases = urls.map(({ href, pathname }) => (isOneHost ? pathname : href.replace(/\/$/, '')));
  const listed = bases
    .slice(0, MOST_SUGGESTIONS)
    .map((base) => cut(base))
    .join(' or ');
  return `did you mean --base-path ${listed} (basePath in the library)?`;
}
