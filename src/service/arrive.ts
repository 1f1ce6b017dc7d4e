import type { IdleAccounts } from '../accounts/idle-accounts.js';
import { ProblemError } from '../errors/problem-error.js';
import type { RouteTable } from '../openapi/route-table.js';
import { cut } from '../values/received-value.js';
import type { Exchange, Step } from './exchange.js';

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
function originForm(target: string): string {
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

/** Header fields that a request has at most once. */
const SINGLE_FIELDS = ['Host', 'Authorization', 'Content-Type'];

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
      `The request has ${count} header fields ${name}; expected at most 1. Remove the others (RFC 9110, section 5.3).`,
    );
  }
}

/** Closes accounts that nothing uses, if it is time, and keeps that of this request meanwhile. */
export function closeIdleAccounts(idleAccounts: IdleAccounts | undefined): Step {
  return (exchange) => {
    if (idleAccounts) exchange.endings.push(idleAccounts.begin(exchange));
  };
}
