// The requests of the load, and checks that a target really answers them.

/** @import { Body, Operation } from '../types.js' */

const CUSTOMER = '65a000000000000000000001';
const OTHER_CUSTOMER = '65a000000000000000000002';
const REFS = 10;

/** The request with which a starting server is polled. */
export const FIRST = get(`/customers/${CUSTOMER}`);

/** A request of test files that the load does not have. */
export const BY_NAME = { requests: () => [get('/customers/name/Acme%20Corporation')] };

/**
 * `requests(records)` are sent over and over; those that delete use one token until everything is
 * deleted, then the next. `mistake(body)` says what is wrong with a response to the first request.
 * @type {[Operation, ...Operation[]]}
 */
export const OPERATIONS = [
  {
    id: 'getCustomer',
    title: 'getCustomer: GET /customers/{id}',
    requests: () => [FIRST],
    mistake: (body) =>
      recordOf(body)?.id === CUSTOMER ? undefined : 'answers a customer without the id asked',
    /** A second request, which shows whether the target always sends the same response. */
    other: get(`/customers/${OTHER_CUSTOMER}`),
    isConstant: (body) => recordOf(body)?.id !== OTHER_CUSTOMER,
  },
  pageOf(10),
  pageOf(1_000),
  {
    id: `deleteEventsByRefs${REFS}`,
    title: `deleteEventsByRefs: POST /events/delete-by-refs, ${REFS} refs, others each time`,
    deletes: true,
    requests: ({ events }) =>
      chunksOf(REFS, [...new Set(events.map(({ ref }) => ref))].filter(isAscii)).map((refs) => ({
        method: 'POST',
        path: '/events/delete-by-refs',
        body: JSON.stringify({ refs }),
      })),
    mistake(body) {
      const deleted = listOf(body)?.length ?? 0;
      if (deleted >= REFS) return undefined;
      return `does not delete what is asked: ${deleted} events answered for ${REFS} refs`;
    },
    deletedNothing: ({ status, body }) => status === 200 && listOf(body)?.length !== 0,
  },
];

/**
 * @param {number} limit
 * @returns {Operation}
 */
function pageOf(limit) {
  return {
    id: `listMeasurements${limit}`,
    title: `listMeasurements: GET /measurements?limit=${limit}`,
    limit,
    requests: () => [getPage(limit)],
    mistake(body) {
      const count = listOf(body)?.length;
      if (count === limit) return undefined;
      return `ignores limit: ${count ?? 'no'} records where ${limit} are asked for`;
    },
  };
}

/** @param {number} limit */
function getPage(limit) {
  return get(`/measurements?limit=${limit}`);
}

/** @param {string} path */
function get(path) {
  return { method: 'GET', path };
}

/**
 * A record, with or without an envelope.
 * @param {Body | undefined} body
 */
function recordOf(body) {
  return body?.customer ?? body;
}

/** @param {Body | undefined} body */
function listOf(body) {
  const list = body?.measurements ?? body?.events ?? body?.data ?? body;
  return Array.isArray(list) ? list : undefined;
}

/**
 * @param {number} size
 * @param {string[]} values
 */
function chunksOf(size, values) {
  const whole = Math.floor(values.length / size);
  return Array.from({ length: whole }, (_, nth) => values.slice(nth * size, (nth + 1) * size));
}

/** @param {string} text */
function isAscii(text) {
  return /^[\x20-\x7e]+$/.test(text);
}
