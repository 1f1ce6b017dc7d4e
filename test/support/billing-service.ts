import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Contract,
  CUSTOMERS,
  type Customer,
  contractsAtFirst,
  createdAtOf,
  eventsAtFirst,
  measurementsOf,
  type UsageEvent,
  usageDateOf,
} from './billing-records.js';

/** A response before it is written. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Sent instead of the body as JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a service does. `'refuse'` stands for its refusal of an invalid request. */
export interface Rules {
  measurements: number;
  sort: 'newest' | 'oldest' | 'created' | 'id' | 'none';
  total: (all: number, before: number, here: number) => unknown;
  /** Whether a page says that more follows. */
  hasMore: (all: number, end: number, isFull: boolean) => unknown;
  finalCursor: unknown;
  /** The meaning of `limit`, given as it was sent. */
  limit: (text: string) => number | 'refuse';
  defaultLimit: number;
  emptyLimit: number | 'refuse';
  emptyCursor: 'first' | 'refuse' | 'last';
  /** Makes a cursor of a page's end; only issued cursors are known. */
  cursorAt: (offset: number) => string;
  /** The meaning of a cursor that it never issued; a number is an offset. */
  unknownCursor: UnknownCursor | ((cursor: string) => UnknownCursor);
  unknownParameter: 'ignore' | 'refuse' | 'filters';
  mostOnPage: number;
  invalidStatus: number;
  notFoundStatus: number;
  /** Replaces `error(notFoundStatus)`. */
  notFound: ((asked: string, kind: 'id' | 'name' | 'contract' | 'ref') => Reply) | undefined;
  error: (status: number) => Reply;
  unauthorized: Reply | 'error' | 'accept';
  unauthorizedStatus: number;
  madeUpToken: MadeUpToken | ((token: string) => MadeUpToken);
  findsById: (asked: string, customer: Customer) => boolean;
  findsByName: (asked: string, customer: Customer) => boolean;
  customers: readonly Customer[];
  /** The statuses of successes, by operation. */
  deleteStatus: number;
  eventsStatus: number;
  updatesOnDelete: boolean;
  /** The reply to the nth repeated delete of a contract. */
  repeatedDelete: (contract: Contract, repeated: number) => Reply | 'not-found';
  unmatchedRefs: 'ignore' | 'not-found' | 'not-found-after-deleting';
  /** Which refs without an event `unmatchedRefs` is about; others are ignored. */
  isRef: (ref: string) => boolean;
  repeatedEvents: 'omit' | 'include' | 'include-anew' | 'include-for-two-seconds';
  events: () => UsageEvent[];
  eventsBy: 'refs' | 'timestamp' | 'id' | ((one: UsageEvent, other: UsageEvent) => number);
  unknownMember: 'ignore' | 'refuse';
  /** How a record is shown: `kind` is `customer`, `contract`, `measurement` or `event`. */
  shows: (record: Readonly<Record<string, unknown>>, kind: string, index: number) => object;
  /** Changes the listing before the nth request. */
  moves: (rows: Row[], requests: number, asked: Asked) => void;
  /** Changes what is written, such as a prefix of the body. */
  writes: (text: string) => string;
  headers: Readonly<Record<string, string>>;
  /** Replies to a request before anything else does. */
  before: (request: Asked, body: string) => Reply | undefined;
  /** Changes a reply before it leaves. */
  after: (reply: Reply, request: Asked, body: string) => Reply;
}

type MadeUpToken = Reply | 'error' | 'empty' | 'same';

type UnknownCursor = 'first' | 'refuse' | 'last' | number | Reply;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string | undefined;
}

export type Row = ReturnType<typeof measurementsOf>[number];

/** The plainest service; the rows of the matrix list only what differs. */
export const PLAIN: Rules = {
  measurements: 37,
  sort: 'newest',
  total: (all) => all,
  hasMore: (all, end) => end < all,
  finalCursor: undefined,
  limit: (text) => {
    const limit = Number(text);
    return Number.isInteger(limit) && limit >= 1 && limit <= 1000 ? limit : 'refuse';
  },
  defaultLimit: 10,
  emptyLimit: 'refuse',
  emptyCursor: 'refuse',
  cursorAt: (offset) => `c-${offset}`,
  unknownCursor: 'refuse',
  unknownParameter: 'ignore',
  mostOnPage: Number.POSITIVE_INFINITY,
  invalidStatus: 400,
  notFoundStatus: 404,
  notFound: undefined,
  error: (status) => ({ status, body: { message: `Status ${status}` } }),
  unauthorized: 'error',
  unauthorizedStatus: 401,
  madeUpToken: 'error',
  findsById: (asked, { id, externalId }) => asked === id || asked === externalId,
  findsByName: (asked, { name }) => asked === name,
  customers: CUSTOMERS,
  deleteStatus: 200,
  eventsStatus: 200,
  updatesOnDelete: true,
  repeatedDelete: () => 'not-found',
  unmatchedRefs: 'ignore',
  isRef: () => true,
  repeatedEvents: 'omit',
  events: eventsAtFirst,
  eventsBy: 'refs',
  unknownMember: 'ignore',
  shows: (record) => record,
  moves: () => undefined,
  writes: (text) => text,
  headers: {},
  before: () => undefined,
  after: (reply) => reply,
};

export const TOKEN = 'the-right-token';

/** A request and its reply, as a recording has them. */
export interface Recorded extends Asked {
  readonly atMs: number;
  readonly body: string;
  readonly reply: {
    readonly status: number;
    readonly type: string;
    readonly text: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** Does something other than replying to the request with this number, from 1 on. */
export type Interference = (
  response: ServerResponse,
  write: () => void,
  asked: Asked,
  number: number,
) => void;

/** A running service, and its requests. */
export interface Running {
  readonly url: string;
  readonly recorded: readonly Recorded[];
  readonly server: Server;
}

/** Starts a service that deviates from the plain rules, on a free port. */
export async function startService(
  deviations: Partial<Rules>,
  interfere: Interference = (_response, write) => write(),
): Promise<Running> {
  const reply = createService({ ...PLAIN, ...deviations });
  const { writes } = { ...PLAIN, ...deviations };
  const recorded: Recorded[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    // A recording has the time at which a request begins, not that of its response.
    const atMs = Date.now();
    requests += 1;
    const number = requests;
    const body = await textOf(request);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const asked: Asked = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      token: request.headers.authorization?.replace(/^Bearer /, ''),
    };
    const write = () => {
      const { status, body: value, text, headers } = reply(asked, body);
      const raw = text ?? (value === undefined ? '' : JSON.stringify(value));
      const written = raw === '' ? '' : writes(raw);
      const type = headers?.['content-type'] ?? 'application/json';
      const sent = { status, type, text: written, headers: { 'content-type': type, ...headers } };
      recorded.push({ ...asked, atMs, body, reply: sent });
      response.writeHead(status, { 'content-type': type, ...headers }).end(written);
    };
    interfere(response, write, asked, number);
  });
  // On a busy machine a client may reuse an idle connection just as this closes: a lost response.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, recorded, server };
}

export async function stopService({ server }: Running): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function createService(rules: Rules) {
  const rows = measurementsOf(rules.measurements).sort(SORTS[rules.sort]);
  const contracts = contractsAtFirst();
  const events = rules.events();
  const repeats = new Map<string, number>();
  const issued = new Map<unknown, number>();
  let requests = 0;
  const fail = (status: number): Reply => rules.error(status);
  const missing: NonNullable<Rules['notFound']> = (asked, kind) =>
    rules.notFound?.(asked, kind) ?? fail(rules.notFoundStatus);
  const show = (record: object, kind: string, index: number) =>
    rules.shows(record as Readonly<Record<string, unknown>>, kind, index);

  function list({ query }: Asked, visible: readonly Row[]): Reply {
    const invalid = fail(rules.invalidStatus);
    for (const [name] of query) {
      const isKnown = name === 'limit' || name === 'cursor';
      if (!isKnown && rules.unknownParameter === 'refuse') return invalid;
      if (!isKnown && rules.unknownParameter === 'filters') return list2([], 0, 10);
    }
    const limitText = query.get('limit');
    const limit =
      limitText === null
        ? rules.defaultLimit
        : limitText === ''
          ? rules.emptyLimit
          : rules.limit(limitText);
    if (limit === 'refuse') return invalid;
    const cursor = query.get('cursor');
    const how = cursor === null ? 'first' : cursor === '' ? rules.emptyCursor : issued.get(cursor);
    const { unknownCursor } = rules;
    const start =
      how ?? (typeof unknownCursor === 'function' ? unknownCursor(cursor ?? '') : unknownCursor);
    if (start === 'refuse') return invalid;
    if (typeof start === 'object') return start;
    const offset = start === 'first' ? 0 : start === 'last' ? Math.max(0, rows.length - 2) : start;
    return list2(visible, offset, limit);
  }

  function list2(visible: readonly Row[], offset: number, limit: number): Reply {
    const page = visible.slice(offset, offset + Math.min(limit, rules.mostOnPage));
    const end = offset + page.length;
    const hasMore = rules.hasMore(visible.length, end, page.length === limit);
    const nextCursor = hasMore === true ? rules.cursorAt(end) : rules.finalCursor;
    issued.set(nextCursor, end);
    const total = rules.total(visible.length, offset, page.length);
    const measurements = page.map((row) => show(row, 'measurement', row.index)).map(withoutIndex);
    return { status: 200, body: { measurements, total, hasMore, nextCursor } };
  }

  function find(
    asked: string,
    kind: 'id' | 'name',
    matches: (asked: string, customer: Customer) => boolean,
  ): Reply {
    const found = rules.customers.find((customer) => matches(asked, customer));
    if (!found) return missing(asked, kind);
    const customer = show(found, 'customer', rules.customers.indexOf(found));
    return { status: 200, body: { customer } };
  }

  function deleteContract(id: string): Reply {
    const contract = contracts.get(id);
    if (!contract) return missing(id, 'contract');
    if (contract.deletedAt !== undefined) {
      const repeated = (repeats.get(id) ?? 0) + 1;
      repeats.set(id, repeated);
      const reply = rules.repeatedDelete(contract, repeated);
      return reply === 'not-found' ? missing(id, 'contract') : reply;
    }
    const deletedAt = new Date().toISOString();
    Object.assign(contract, { deletedAt, ...(rules.updatesOnDelete && { updatedAt: deletedAt }) });
    const shown = show(contract, 'contract', [...contracts.keys()].indexOf(id));
    return { status: rules.deleteStatus, body: { contract: shown } };
  }

  function deleteEvents(text: string): Reply {
    const body = JSON.parse(text) as { refs: string[] };
    const { refs } = body;
    if (!Array.isArray(refs) || refs.length === 0) return fail(rules.invalidStatus);
    if (rules.unknownMember === 'refuse' && Object.keys(body).length > 1) {
      return fail(rules.invalidStatus);
    }
    const unmatched = refs.find(
      (ref) => rules.isRef(ref) && !events.some((event) => event.ref === ref),
    );
    if (unmatched !== undefined && rules.unmatchedRefs === 'not-found')
      return missing(unmatched, 'ref');
    const deletedAt = new Date().toISOString();
    const shown: UsageEvent[] = [];
    for (const event of events.filter(({ ref }) => refs.includes(ref))) {
      if (event.deletedAt !== undefined) {
        if (rules.repeatedEvents === 'include') shown.push(event);
        if (rules.repeatedEvents === 'include-for-two-seconds' && isRecentlyDeleted(event))
          shown.push(event);
        if (rules.repeatedEvents === 'include-anew')
          shown.push({ ...event, deletedAt: '2099-01-01T00:00:00Z' });
        continue;
      }
      Object.assign(event, { deletedAt, ...(rules.updatesOnDelete && { updatedAt: deletedAt }) });
      shown.push(event);
    }
    if (unmatched !== undefined && rules.unmatchedRefs === 'not-found-after-deleting') {
      return missing(unmatched, 'ref');
    }
    const { eventsBy } = rules;
    const place = (event: UsageEvent) =>
      ({
        refs: refs.indexOf(event.ref),
        timestamp: Date.parse(event.timestamp),
        id: Number(event.id.slice(1)),
      })[eventsBy as 'refs'];
    const sorted = shown.sort(
      typeof eventsBy === 'function'
        ? eventsBy
        : (one, other) =>
            place(one) - place(other) || Date.parse(one.timestamp) - Date.parse(other.timestamp),
    );
    const list = sorted.map((event) => show(event, 'event', events.indexOf(event)));
    return { status: rules.eventsStatus, body: { events: list } };
  }

  function route(asked: Asked, body: string): Reply {
    requests += 1;
    rules.moves(rows, requests, asked);
    const early = rules.before(asked, body);
    if (early) return early;
    let visible: readonly Row[] = rows;
    if (asked.token === undefined && rules.unauthorized !== 'accept') {
      return rules.unauthorized === 'error' ? fail(rules.unauthorizedStatus) : rules.unauthorized;
    }
    if (asked.token !== undefined && asked.token !== TOKEN) {
      const { madeUpToken } = rules;
      const how = typeof madeUpToken === 'function' ? madeUpToken(asked.token) : madeUpToken;
      if (how === 'error') return fail(rules.unauthorizedStatus);
      if (typeof how === 'object') return how;
      if (how === 'empty') visible = [];
    }
    const [, room, first = '', second] = asked.path.split('/').map(decodeURIComponent);
    if (asked.method === 'DELETE' && room === 'contracts') return deleteContract(first);
    if (asked.method === 'POST' && first === 'delete-by-refs') return deleteEvents(body);
    if (room === 'measurements') return list(asked, visible);
    if (room === 'customers' && first === 'name' && second !== undefined) {
      return find(second, 'name', rules.findsByName);
    }
    if (room === 'customers') return find(first, 'id', rules.findsById);
    return fail(404);
  }

  return (asked: Asked, body: string): Reply => {
    const reply = rules.after(route(asked, body), asked, body);
    return { ...reply, headers: { ...rules.headers, ...reply.headers } };
  };
}

/** True for two seconds, in which a cache or another replica may not know of the deletion. */
export function isRecentlyDeleted({ deletedAt = '' }: Pick<Contract, 'deletedAt'>): boolean {
  return Date.now() - Date.parse(deletedAt) < 2_000;
}

function withoutIndex(record: object): object {
  const { index: _, ...shown } = record as { index?: unknown };
  return shown;
}

const SORTS: Readonly<Record<Rules['sort'], (one: Row, other: Row) => number>> = {
  newest: (one, other) => usageDateOf(other) - usageDateOf(one) || (one.id < other.id ? -1 : 1),
  oldest: (one, other) => usageDateOf(one) - usageDateOf(other) || (one.id < other.id ? -1 : 1),
  created: (one, other) => createdAtOf(one) - createdAtOf(other) || (one.id < other.id ? -1 : 1),
  id: (one, other) => (one.id < other.id ? -1 : 1),
  none: () => 0,
};
