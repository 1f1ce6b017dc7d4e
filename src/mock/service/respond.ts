import { headersOfType, titleOf } from '../../core/errors/problem-types.js';
import { ANY_ORIGIN } from './cross-origin.js';
import { type Exchange, type ExchangeWith, requireParts, type Step } from './exchange.js';
import type {
  Delivery,
  HeaderFields,
  ResponseBody,
  ServiceResponse,
} from './request-and-response.js';

/** The Content-Type of JSON, except for errors. */
export const JSON_TYPE = 'application/json; charset=utf-8';

export const JSON_FIELDS = { 'Content-Type': JSON_TYPE };

/** What a response of a status must have (RFC 9110, sections 7.8, 15.5.2, 15.5.6, 15.5.8 and 15.5.22). */
const REQUIRED_FIELDS: Readonly<Record<number, (exchange: Exchange) => HeaderFields>> = {
  401: () => headersOfType('unauthorized'),
  405: ({ called }) => ({ Allow: called.endpoint?.methods.join(', ') ?? '' }),
  407: () => ({ 'Proxy-Authenticate': 'Basic realm="usage-billing-mock"' }),
  // Without close, Node would keep a connection that the client asks to close.
  426: () => ({ Upgrade: 'HTTP/2.0', Connection: 'Upgrade, close' }),
};

/**
 * Ends the walk with a response; its header fields override those that steps have set, and those
 * that its status demands.
 */
export function respond(
  exchange: Exchange,
  status: number,
  headers: HeaderFields = {},
  body?: ResponseBody,
  delivery?: Delivery,
): void {
  const { request, noted, platform } = exchange;
  const length = lengthOf(body, platform.byteLength);
  // Changed in place rather than spread, because this runs for every request.
  const fields = exchange.headers;
  if (length !== undefined) fields['Content-Length'] = String(length);
  const required = REQUIRED_FIELDS[status]?.(exchange) ?? {};
  for (const name in required) setField(fields, name, required[name] ?? '');
  for (const name in headers) setField(fields, name, headers[name] ?? '');
  if (noted && !isLost(delivery)) {
    noted.status ??= status;
    if (length !== undefined) noted.responseBytes = length;
  }
  const isHead = request.method === 'HEAD';
  exchange.response = {
    status,
    headers: fields,
    body: isHead || body === undefined ? '' : body,
    delivery,
    end: (isDelivered) => exchange.end(isDelivered),
    fail: (reason) => respondToFailure(exchange, reason),
  };
}

/** What the client learns of a defect of the mock. */
export const FAILED_SENTENCE =
  'The mock failed while answering; its log has the cause, unless logLevel is silent. Please report it.';

const FAILED = JSON.stringify({
  type: 'urn:usage-billing-mock:problem:internal-error',
  title: titleOf('internal-error'),
  status: 500,
  detail: FAILED_SENTENCE,
});

/** Tells the subscribers, and makes a plain problem of what neither depends on state nor can fail. */
export function respondToFailure(exchange: Exchange, reason: unknown): ServiceResponse {
  exchange.fail(reason);
  exchange.headers = {
    ...(exchange.called.kind !== 'control' && ANY_ORIGIN),
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json',
  };
  if (exchange.noted) exchange.noted.status = 500;
  respond(exchange, 500, {}, FAILED);
  return requireParts(exchange, 'response').response;
}

export function respondJson(exchange: Exchange, status: number, value: object): void {
  respond(exchange, status, JSON_FIELDS, JSON.stringify(value));
}

function lengthOf(body: ResponseBody | undefined, byteLength: (text: string) => number) {
  if (typeof body === 'string') return byteLength(body);
  return body instanceof Uint8Array ? body.length : undefined;
}

function setField(fields: Exchange['headers'], name: string, value: string | string[]): void {
  if (!(name in fields)) {
    const lowerCase = name.toLowerCase();
    for (const other in fields) if (other.toLowerCase() === lowerCase) delete fields[other];
  }
  fields[name] = value;
}

/** Forbids caching, because state may change between any two requests. */
export const forbidCaching: Step = ({ headers }) => {
  headers['Cache-Control'] = 'no-store';
};

/** Lists the decisions behind the response in a `Decisions` header: `repeat-delete=gone`. */
export function nameDecisions({
  headers,
  decisions,
}: Pick<ExchangeWith<'decisions'>, 'headers' | 'decisions'>): void {
  const { applied, inForce } = decisions;
  headers.Decisions = applied.map((id) => `${id}=${inForce[id]}`).join(', ');
}

export const send: Step = (exchange) => {
  const { status, headers, body } = requireParts(exchange, 'ready').ready;
  respond(exchange, status, headers, body);
};

/** Whether not even the head of a response arrives. */
export function isLost(delivery: Delivery | undefined): boolean {
  return delivery !== undefined && !delivery.pieces;
}
