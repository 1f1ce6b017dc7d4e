import type { Exchange, Step } from './exchange.js';

/** What pages from other origins may do. */
interface CrossOrigin {
  /** The methods that they may use; without `sendable`, also the one that a preflight asks for. */
  readonly methods: readonly string[];
  /** The header fields that they may send; by default, those that the preflight asks for. */
  readonly sendable?: readonly string[];
  /** The response header fields that they may read, separated by commas. */
  readonly readable: string;
}

const READABLE = 'WWW-Authenticate,Retry-After,Allow';
const READABLE_OF_SERVICE = `${READABLE},Preference-Applied,Decisions`;

/** What the response to any call may have, for one that ends before its origin is known. */
export const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': READABLE_OF_SERVICE,
};

/**
 * Lets pages on any origin, `null` included, call the operations and stubs, with credentials too
 * (`credentials: 'include'`): the mock reads no cookies. `routes` may read them, so pages on other origins send
 * them none. A preflight succeeds even for an unknown path or method, so that the page can read why
 * the call itself is refused.
 */
export function allowAnyOrigin(hasRoutes: boolean): Step {
  return (exchange) => {
    const { origin } = exchange.fields;
    const { endpoint, stub } = exchange.called;
    const methods = endpoint?.methods ?? [];
    const method = preflightMethod(exchange) ?? exchange.method;
    const mayReachRoutes = hasRoutes && !stub && !methods.includes(method);
    const isEchoed = origin !== undefined && !mayReachRoutes;
    allow(exchange, isEchoed ? origin : '*', { methods, readable: READABLE_OF_SERVICE });
    vary(exchange, 'Origin');
    if (isEchoed) exchange.headers['Access-Control-Allow-Credentials'] = 'true';
  };
}

/** Lets pages on other origins read the header fields that a stub or a fault gives a response. */
export function exposeFields({ headers }: Exchange, names: readonly string[]): void {
  const { 'Access-Control-Expose-Headers': readable } = headers;
  headers['Access-Control-Expose-Headers'] = [readable, ...names].join(',');
}

const CONTROL: CrossOrigin = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  sendable: ['Authorization', 'Content-Type', 'X-Control-Token', 'X-Account-Id'],
  readable: `${READABLE},X-Control-Plane`,
};

/** Lets pages on these origins call the control plane and read its responses, errors included. */
export function allowOrigins(origins: readonly string[]): Step {
  return (exchange) => {
    if (origins.length === 0) return;
    vary(exchange, 'Origin');
    const { origin } = exchange.fields;
    // Pages on other origins are not even told which methods and header fields are allowed.
    if (origin !== undefined && origins.includes(origin)) allow(exchange, origin, CONTROL);
  };
}

/** The method that a preflight asks for (Fetch standard); undefined if this is not a preflight. */
export function preflightMethod({ method, fields }: Exchange): string | undefined {
  return method === 'OPTIONS' ? fields['access-control-request-method'] : undefined;
}

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
