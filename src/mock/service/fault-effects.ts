import { ProblemError } from '../../core/errors/problem-error.js';
import { whyNotAllowed } from '../../core/openapi/why-not-allowed.js';
import { sandboxed } from '../../core/stubs/sandbox.js';
import { contentTypeOf, isJson } from '../../core/values/body-type.js';
import { cut } from '../../core/values/received-value.js';
import type { FaultKind } from '../accounts/fault-kinds.js';
import type { FiringFault } from '../accounts/faults.js';
import { awaitLatency } from './add-latency.js';
import { exposeFields } from './cross-origin.js';
import { type Exchange, type Ready, requireParts } from './exchange.js';
import { noteBodyAhead, readToEnd } from './read-body.js';
import { bytesOf, type Delivery } from './request-and-response.js';
import { JSON_FIELDS, JSON_TYPE, respond } from './respond.js';

/** What each kind of fault does to an exchange. */
export const FAULT_EFFECTS: Readonly<
  Record<FaultKind, (exchange: Exchange, fault: FiringFault) => void | Promise<void>>
> = {
  async delay(exchange, { id, delayMs = 0 }) {
    await waitForRemoval(exchange, id, delayMs);
  },
  async hold(exchange, { id }) {
    if (await waitForRemoval(exchange, id, MAX_HOLD_MS)) return;
    throw new ProblemError(
      'injected-fault',
      `Fault ${id} of this account has held this request for ${MAX_HOLD_MS / 1_000} s, which is the maximum. To let a request go on sooner, remove the fault.`,
      { status: 503 },
    );
  },
  status(_exchange, { id, status = 500, retryAfterS }) {
    throw new ProblemError(
      'injected-fault',
      `Fault ${id} of this account injected this ${status}.`,
      {
        status,
        ...(retryAfterS !== undefined && { headers: { 'Retry-After': String(retryAfterS) } }),
      },
    );
  },
  reset: (exchange) => lose(exchange, 'reset'),
  async empty(exchange) {
    const { content, body } = exchange;
    // Closing a connection with unread bytes resets it.
    if (content && body === undefined) await readToEnd(content);
    lose(exchange, 'close');
  },
  'malformed-json'(exchange) {
    const { status, headers, body } = readyOf(exchange);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(body));
    respond(exchange, status, headers, body === undefined ? undefined : malformed(text));
  },
  truncated(exchange) {
    deliver(exchange, (body) => ({
      pieces: [body.subarray(0, Math.ceil(body.length / 2))],
      ending: 'close',
    }));
  },
  async slow(exchange, { delayMs = 0 }) {
    if (isEmpty(exchange)) await exchange.wait(delayMs);
    else exchange.keepWaiting();
    deliver(exchange, (body) => ({
      pieces: piecesOf(body),
      pieceMs: delayMs / PIECES,
      ending: 'complete',
    }));
  },
  async respond(exchange, { status = 200, headers = {}, body }) {
    const { account, called, noted } = requireParts(exchange, 'account');
    await awaitLatency(exchange, account.latency);
    exposeFields(exchange, Object.keys(headers));
    const type = contentTypeOf(headers);
    if (noted && called.kind === 'operation') {
      const [mediaType = ''] = String(type ?? JSON_TYPE).split(';');
      const given = { status, mediaType: mediaType.trim().toLowerCase(), body };
      const detail = whyNotAllowed(called.specification, called.route, given);
      noted.arranged = detail ? { isAllowed: false, detail: cut(detail) } : { isAllowed: true };
    }
    if (isJson(type)) {
      const ofJson = type === undefined && body !== undefined ? JSON_FIELDS : {};
      respond(exchange, status, { ...ofJson, ...headers }, JSON.stringify(body));
    } else respond(exchange, status, sandboxed(headers), body as string | undefined);
  },
};

const MAX_HOLD_MS = 60_000;

/** Resolves to whether the fault was removed before the time was over. */
async function waitForRemoval(exchange: Exchange, id: number, maxMs: number): Promise<boolean> {
  const { account, request } = requireParts(exchange, 'account');
  if (!exchange.ready) noteBodyAhead(exchange);
  const removal = new AbortController();
  const unfollow = account.faults.onRemoval(id, () => removal.abort());
  try {
    await exchange.wait(maxMs, AbortSignal.any([request.signal, removal.signal]));
    return false;
  } catch (reason) {
    // A caller who has gone changes nothing, even if the fault was removed at the same time.
    request.signal.throwIfAborted();
    if (!removal.signal.aborted) throw reason;
    return true;
  } finally {
    unfollow();
  }
}

/** The status never reaches the caller. */
function lose(exchange: Exchange, ending: Delivery['ending']): void {
  respond(exchange, exchange.ready?.status ?? 200, {}, '', { ending });
}

/** Lets the operation's response arrive in another way, unless it has no body. */
function deliver(exchange: Exchange, deliveryOf: (body: Uint8Array) => Delivery): void {
  const { status, headers, body } = readyOf(exchange);
  const delivery = isEmpty(exchange) ? undefined : deliveryOf(bytesOf(body));
  respond(exchange, status, headers, body, delivery);
}

const PIECES = 10;

/** The ten pieces in which a slow response arrives; some are empty if it is short. */
function piecesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const end = (nth: number) => Math.floor((bytes.length * nth) / PIECES);
  return Array.from({ length: PIECES }, (_, nth) => bytes.subarray(end(nth), end(nth + 1)));
}

/** The response to distort; faults that need one fire only in phase `after`. */
function readyOf(exchange: Exchange): Ready {
  return requireParts(exchange, 'ready').ready;
}

function isEmpty(exchange: Exchange): boolean {
  return exchange.request.method === 'HEAD' || bytesOf(readyOf(exchange).body).length === 0;
}

/** Drops the last character; if the rest is still JSON, like the `1` of `12`, puts `[` in front. */
function malformed(text: string): string {
  const cut = text.trimEnd().replace(/.$/su, '');
  try {
    JSON.parse(cut);
    return `[${cut}`;
  } catch {
    return cut;
  }
}
