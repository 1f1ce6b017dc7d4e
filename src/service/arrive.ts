import type { IdleAccounts } from '../accounts/idle-accounts.js';
import { ProblemError } from '../errors/problem-error.js';
import type { RouteTable } from '../openapi/route-table.js';
import { cut } from '../values/received-value.js';
import { type Exchange, SINGLE_FIELDS, type Step } from './exchange.js';

/** Reads the target: takes off the origin and the base path, and takes the query from the path. */
export function readTarget(basePath: string): Step {
  return (exchange) => {
    const target = originForm(exchange.target);
    const rest = target.slice(basePath.length);
    exchange.isBelow = target.startsWith(basePath) && /^([/?]|$)/.test(rest);
    setTarget(exchange, exchange.isBelow ? basePath : '', target);
  };
}

/** Takes a beginning off the target, which becomes a part of the base path. */
export function setTarget(exchange: Exchange, beginning: string, target: string): void {
  const rest = target.slice(beginning.length);
  exchange.basePath += beginning;
  exchange.target = beginning === '' || rest.startsWith('/') ? rest : `/${rest}`;
  const mark = exchange.target.indexOf('?');
  exchange.path = mark === -1 ? exchange.target : exchange.target.slice(0, mark);
  exchange.query = mark === -1 ? '' : exchange.target.slice(mark + 1);
}

/** The target without the origin that a proxy's form has (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const withoutOrigin = target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  // A target of another scheme names nothing here: it is an unknown path.
  return withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`;
}

/** Forbids caching: state changes between two requests. */
export const forbidCaching: Step = ({ headers }) => {
  headers['Cache-Control'] = 'no-store';
};

/** Finds the path of the document that the request is for. Refuses nothing. */
export function matchPath(routes: RouteTable): Step {
  return (exchange) => {
    if (exchange.isBelow) exchange.endpoint = routes.match(exchange.path);
  };
}

/** Refuses malformed HTTP, and what Node would silently refuse (RFC 9112, RFC 9110). */
export const checkHeaders: Step = ({ request, fields }) => {
  refuseRepetition(request.headers);
  const { host, expect } = fields;
  if (host === undefined && request.httpVersion === '1.1') {
    throw new ProblemError(
      'malformed-http',
      'The request has no Host header; HTTP/1.1 expects one. Add it (RFC 9112, section 3.2).',
    );
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ProblemError(
      'unmet-expectation',
      `The request has 'Expect: ${cut(expect)}'; expected '100-continue' or no such header. Remove it.`,
    );
  }
};

function refuseRepetition(headers: readonly string[]): void {
  for (const name of SINGLE_FIELDS) {
    const lowerCase = name.toLowerCase();
    let count = 0;
    for (let index = 0; index < headers.length; index += 2) {
      const received = headers[index] ?? '';
      if (received.length === name.length && received.toLowerCase() === lowerCase) count += 1;
    }
    if (count <= 1) continue;
    throw new ProblemError(
      'malformed-http',
      `The request has ${count} ${name} headers; expected at most 1. Remove the others (RFC 9110, section 5.3).`,
    );
  }
}

/** Closes accounts that nothing uses, if it is time, and keeps that of this request meanwhile. */
export function closeIdleAccounts(idleAccounts: IdleAccounts | undefined): Step {
  return (exchange) => {
    if (idleAccounts) exchange.endings.push(idleAccounts.begin(exchange));
  };
}

/** What the pages of other origins may do. */
interface CrossOrigin {
  /** The methods that a preflight is told, in addition to that it asks for. */
  readonly methods: readonly string[];
  /** The header fields that they may send; those that a preflight asks for if left out. */
  readonly sendable?: readonly string[];
  /** The header fields of a response that they may read, as one value. */
  readonly readable: string;
}

const READABLE = 'WWW-Authenticate,Retry-After,Allow';

/**
 * Lets pages on any origin call the operations; a preflight gets the methods of its path. One for
 * another method or an unknown path succeeds as well, so that the page can read why the call is
 * refused.
 */
export const allowAnyOrigin: Step = (exchange) => {
  allow(exchange, '*', {
    methods: exchange.endpoint?.methods ?? [],
    readable: `${READABLE},Preference-Applied,Decisions`,
  });
};

const CONTROL: CrossOrigin = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  sendable: ['Authorization', 'Content-Type', 'X-Control-Token', 'X-Account-Id'],
  readable: `${READABLE},X-Control-Plane`,
};

/** Lets pages of these origins call the control plane and read its responses, errors included. */
export function allowOrigins(origins: readonly string[]): Step {
  return (exchange) => {
    if (origins.length === 0) return;
    vary(exchange, 'Origin');
    const { origin } = exchange.fields;
    // Any other page is not even told which methods and header fields are allowed.
    if (origin !== undefined && origins.includes(origin)) allow(exchange, origin, CONTROL);
  };
}

/** The method that a preflight asks for (Fetch standard, CORS protocol); none if it is no preflight. */
export function preflightMethod({ method, fields }: Exchange): string | undefined {
  return method === 'OPTIONS' ? fields['access-control-request-method'] : undefined;
}

/** Says that the response depends on a header field of the request. */
export function vary({ headers }: Exchange, field: string): void {
  const { Vary: before } = headers;
  headers.Vary = before === undefined ? field : `${before}, ${field}`;
}

function allow(exchange: Exchange, origin: string, { methods, sendable, readable }: CrossOrigin) {
  const { headers, fields, method } = exchange;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Expose-Headers'] = readable;
  if (method !== 'OPTIONS') return;
  const requested = preflightMethod(exchange);
  const allowed = requested !== undefined && !sendable ? [...methods, requested] : methods;
  headers['Access-Control-Allow-Methods'] = [...new Set(allowed)].join(',');
  headers['Access-Control-Max-Age'] = '600';
  const sent = sendable?.join(',') ?? fields['access-control-request-headers'];
  if (sent) headers['Access-Control-Allow-Headers'] = sent;
  if (!sendable) vary(exchange, 'Access-Control-Request-Headers');
}
