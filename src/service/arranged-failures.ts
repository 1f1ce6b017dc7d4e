import type { FaultKind, FaultPhase } from '../accounts/fault-kinds.js';
import type { FiringFault } from '../accounts/faults.js';
import type { OperationId } from '../billing/operation.js';
import { ProblemError } from '../errors/problem-error.js';
import type { OperationRoute } from '../openapi/route-table.js';
import { whyNotAllowed } from '../openapi/specification-in-force.js';
import { contentTypeOf, isJson, sandboxed } from '../stubs/check-stub.js';
import { cut } from '../values/received-value.js';
import { type Exchange, known, type Ready, type Step } from './exchange.js';
import { JSON_TYPE, respond } from './leave.js';
import { readToEnd } from './read-body.js';
import { bytesOf, type Delivery } from './service.js';

/** Refuses requests beyond the account's rate limit (section 8), by the account's clock. */
export const limitRate: Step = (exchange) => {
  if (!exchange.account) return;
  const { account, decisions } = known(exchange, 'account', 'decisions');
  const limit = decisions.apply('rate-limit');
  if (limit === 'unlimited') return;
  const retryAfterMs = account.faults.countRequest(limit, account.clock.now().getTime());
  if (retryAfterMs === undefined) return;
  const seconds = Math.ceil(retryAfterMs / 1_000);
  throw new ProblemError(
    'too-many-requests',
    `Rate limit reached (${limit.replace('/', ' per ')}). Retry in ${seconds} s, or switch the decision.`,
    { decision: 'rate-limit', headers: { 'Retry-After': String(seconds) } },
  );
};

/** The elements of a list, without the empty ones (RFC 9110, section 5.6.1); quotes hide commas. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\(?:.|$))*(?:"|$))+/g;

/** The name of a preference, and its value bare or quoted; parameters follow (RFC 7240, section 2). */
const PREFERENCE = /^\s*([^\s=;"]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;"]*))?/;

/** Header fields that go with certain errors. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer realm="usage-billing-mock"' },
  429: { 'Retry-After': '1' },
};

/**
 * Answers `Prefer: code=404` with that error, if the document in force has it for the operation, and
 * says so in `Preference-Applied`. A code that it does not have is refused, because a client that asks for an
 * error does not want the operation to run; that of its success lets it run. Any other preference is
 * ignored, as RFC 7240 says.
 */
export const preferError: Step = ({ route, fields: { prefer } }) => {
  if (!route || prefer === undefined) return;
  const code = preferredCode(prefer);
  if (code === undefined || code === String(route.successStatus)) return;
  if (!Object.hasOwn(route.operation.responses ?? {}, code)) throw unknownCode(code, route);
  throw new ProblemError(
    'preferred-error',
    `The request has 'Prefer: code=${code}', and the operation did not run. Remove the header to call it.`,
    {
      status: Number(code),
      headers: { ...FIELDS[code], 'Preference-Applied': `code=${code}` },
    },
  );
};

/** The value of the first preference `code`, if there is one; any further one is ignored. */
function preferredCode(header: string): string | undefined {
  for (const element of header.match(ELEMENT) ?? []) {
    const [, name = '', value = ''] = PREFERENCE.exec(element) ?? [];
    if (name.toLowerCase() === 'code') return value.replaceAll(/^"|"$/g, '');
  }
  return undefined;
}

function unknownCode(code: string, { operationId, operation }: OperationRoute): ProblemError {
  const errors = Object.keys(operation.responses ?? {}).filter((status) => Number(status) >= 400);
  const expected = `${errors.slice(0, -1).join(', ')} or ${errors.at(-1)}`;
  const detail = 'Correct the code, or remove the header.';
  return new ProblemError(
    'invalid-request',
    `The request has 'Prefer: code=${cut(code)}', which ${operationId} does not document; expected ${expected}. The operation did not run. ${detail}`,
    {
      errors: [
        {
          in: 'header',
          pointer: '/prefer',
          expected: `code=${expected}`,
          received: `code=${cut(code)}`,
          detail,
        },
      ],
    },
  );
}

/** Lets a fault of the phase `before` fire: the operation then does not run, a delay aside. */
export const injectFaultsBefore: Step = (exchange) => injectFault('before', exchange);

/** Lets a fault of the phase `after` fire: the operation has run, and its response may be lost. */
export const injectFaultsAfter: Step = (exchange) => injectFault('after', exchange);

function injectFault(phase: FaultPhase, exchange: Exchange): void | Promise<void> {
  const { account, route, noted, target } = exchange;
  const operationId = route?.operationId as OperationId | undefined;
  const fault = account?.faults.take(phase, { target, operationId });
  if (!fault) return;
  if (noted) noted.fault = fault.id;
  exchange.fault = fault.kind;
  return FAULT_EFFECTS[fault.kind](exchange, fault);
}

/** What each kind of fault does with a request, or with what would be sent to it. */
const FAULT_EFFECTS: Readonly<
  Record<FaultKind, (exchange: Exchange, fault: FiringFault) => void | Promise<void>>
> = {
  delay: ({ platform, request }, { delayMs = 0 }) => platform.wait(delayMs, request.signal),
  status(_exchange, { id, status = 500, retryAfterS }) {
    throw new ProblemError('injected-fault', `Fault ${id} of this account answers ${status}.`, {
      status,
      ...(retryAfterS !== undefined && { headers: { 'Retry-After': String(retryAfterS) } }),
    });
  },
  reset: (exchange) => lose(exchange, { kind: 'reset' }),
  async empty(exchange) {
    const { request, body } = exchange;
    // A connection that is closed with bytes unread is reset.
    if (request.body && body === undefined) await readToEnd(request.body);
    lose(exchange, { kind: 'empty' });
  },
  'malformed-json'(exchange) {
    const { status, headers, body } = readyOf(exchange);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(body));
    respond(exchange, status, headers, body === undefined ? undefined : malformed(text));
  },
  truncated(exchange) {
    const { status, headers, body } = readyOf(exchange);
    const afterBytes = Math.ceil(bytesOf(body).length / 2);
    const delivery = isEmpty(exchange) ? undefined : ({ kind: 'cut', afterBytes } as const);
    respond(exchange, status, headers, body, delivery);
  },
  async slow(exchange, { delayMs = 0 }) {
    const { status, headers, body } = readyOf(exchange);
    const delivery = isEmpty(exchange)
      ? undefined
      : ({ kind: 'slow', durationMs: delayMs } as const);
    if (!delivery) await exchange.platform.wait(delayMs, exchange.request.signal);
    respond(exchange, status, headers, body, delivery);
  },
  respond(exchange, { status = 200, headers = {}, body }) {
    const { route, specification, noted } = exchange;
    const type = contentTypeOf(headers);
    if (noted && route && specification) {
      const [mediaType = ''] = String(type ?? JSON_TYPE).split(';');
      const given = { status, mediaType: mediaType.trim().toLowerCase(), body };
      const detail = whyNotAllowed(specification, route, given);
      noted.arranged = detail ? { isAllowed: false, detail: cut(detail) } : { isAllowed: true };
    }
    if (isJson(type)) {
      const ofJson = type === undefined && body !== undefined ? { 'Content-Type': JSON_TYPE } : {};
      respond(exchange, status, { ...ofJson, ...headers }, JSON.stringify(body));
    } else respond(exchange, status, sandboxed(headers), body as string | undefined);
  },
};

/** Loses the response: its status is that of nothing which the caller sees. */
function lose(exchange: Exchange, delivery: Delivery): void {
  respond(exchange, exchange.ready?.status ?? 200, {}, '', delivery);
}

/** What would be sent; a fault that distorts it fires only after somebody has made it. */
function readyOf(exchange: Exchange): Ready {
  return known(exchange, 'ready').ready;
}

/** Whether nothing follows the head, which no fault on the way can then distort. */
function isEmpty(exchange: Exchange): boolean {
  return exchange.request.method === 'HEAD' || bytesOf(readyOf(exchange).body).length === 0;
}

/** The text without its end. If that is JSON all the same, as 1 of 12 is, it begins a list. */
function malformed(text: string): string {
  const cut = text.trimEnd().replace(/.$/su, '');
  try {
    JSON.parse(cut);
    return `[${cut}`;
  } catch {
    return cut;
  }
}
