import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The behaviour of a service other than this mock; by default, as plain as possible. */
export interface AnotherServiceBehaviour {
  /** How many measurements it has. */
  readonly measurements?: number;
  /** The value of `total`, given the numbers of all records, of those before and on this page. */
  readonly total?: (all: number, before: number, here: number) => unknown;
  /** The value of `nextCursor` on the last page. */
  readonly finalCursor?: unknown;
  /** The body of an error, as text; its media type is `application/json` unless it begins with `<`. */
  readonly error?: (status: number) => string;
  /** The status of an invalid limit, and of an invalid cursor. */
  readonly invalidLimit?: number;
  readonly invalidCursor?: number;
  /** Answers every request with this status. */
  readonly always?: number;
  /** From this request on, closes the connection instead of answering. */
  readonly breaksOffAfter?: number;
  /** Never answers. */
  readonly isSilent?: boolean;
  /** Changes a customer before it is sent. */
  readonly customer?: (customer: object) => object;
}

/** A service with the five operations that shares no code with this mock. */
export function anotherService(behaviour: AnotherServiceBehaviour = {}): RequestListener {
  const { breaksOffAfter = Number.POSITIVE_INFINITY, isSilent, always } = behaviour;
  const answer = createAnswer(behaviour);
  let requests = 0;
  return (request, response) => {
    requests += 1;
    if (isSilent) return;
    if (requests > breaksOffAfter) request.socket.destroy();
    else if (always !== undefined) fail(response, always, behaviour);
    else answer(request, response);
  };
}

const CUSTOMERS = [
  {
    id: 'cus_7Kq2mZ',
    name: 'Étoile & Fils',
    aliases: ['etoile'],
    address: {
      country: 'FR',
      city: 'Lyon',
      addressText: '1 rue A',
      state: 'ARA',
      postalCode: '69001',
    },
    contacts: [],
    source: 'Salesforce',
    externalId: 'SF-100',
    customerErpId: 'E1',
    createdAt: '2025-01-02T03:04:05Z',
    updatedAt: '2025-01-02T03:04:05Z',
  },
];

function createAnswer(behaviour: AnotherServiceBehaviour) {
  const { measurements: count = 37, total = (all: number) => all } = behaviour;
  const { invalidLimit = 422, invalidCursor = 422, customer = (same: object) => same } = behaviour;
  // Newest first; the ids are in another order than the dates.
  const all = Array.from({ length: count }, (_, index) => ({
    id: `m${(index * 7) % (count + 3)}`.padEnd(6, 'x'),
    customerId: 'cus_7Kq2mZ',
    meterId: 'calls',
    usageDate: dateOf(count - Math.floor(index / 3)),
    value: index,
    createdAt: new Date(Date.UTC(2026, 0, 1) + ((index * 13) % count) * 1000).toISOString(),
    updatedAt: new Date(Date.UTC(2026, 0, 1) + ((index * 13) % count) * 1000).toISOString(),
  })).sort((one, other) => rankOf(other) - rankOf(one) || (one.id < other.id ? -1 : 1));

  return (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.headers.authorization !== 'Bearer right') return fail(response, 401, behaviour);
    const [, id] = /^\/customers\/([^/]+)$/.exec(pathname) ?? [];
    const [, name] = /^\/customers\/name\/([^/]+)$/.exec(pathname) ?? [];
    const found = CUSTOMERS.find(
      (one) =>
        (id !== undefined && [one.id, one.externalId].includes(decodeURIComponent(id))) ||
        (name !== undefined && one.name === decodeURIComponent(name)),
    );
    if (found) return send(response, 200, JSON.stringify({ customer: customer(found) }));
    if (pathname !== '/measurements') return fail(response, 404, behaviour);
    const limit = Number(searchParams.get('limit') ?? 10);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
      return fail(response, invalidLimit, behaviour);
    }
    const cursor = searchParams.get('cursor');
    const start = cursor === null ? 0 : Number(/^from-(\d+)$/.exec(cursor)?.[1] ?? Number.NaN);
    if (Number.isNaN(start)) return fail(response, invalidCursor, behaviour);
    const page = all.slice(start, start + limit);
    const end = start + page.length;
    const hasMore = end < all.length;
    const nextCursor = hasMore ? `from-${end}` : behaviour.finalCursor;
    const body = { measurements: page, total: total(all.length, start, page.length), hasMore };
    return send(response, 200, JSON.stringify({ ...body, nextCursor }));
  };
}

function dateOf(day: number) {
  const date = new Date(Date.UTC(2025, 0, day));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function rankOf({ usageDate: { year, month, day } }: { usageDate: ReturnType<typeof dateOf> }) {
  return year * 10_000 + month * 100 + day;
}

function fail(response: ServerResponse, status: number, { error }: AnotherServiceBehaviour): void {
  send(response, status, error?.(status) ?? JSON.stringify({ message: `Status ${status}` }));
}

function send(response: ServerResponse, status: number, text: string): void {
  const mediaType = text.startsWith('<') ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': mediaType }).end(text);
}
