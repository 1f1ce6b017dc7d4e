import { WITHOUT_BODY } from '../../core/values/body-type.js';
import type { Platform } from '../../mock/service/platform.js';
import {
  bytesOf,
  type Delivery,
  hasLength,
  pairsOf,
  type ResponseBody,
  type ServiceResponse,
} from '../../mock/service/request-and-response.js';

/** Why a call failed, with the `code` that the global `fetch` would give. */
export class ConnectionError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Resolves when the response begins to arrive; rejects if a fault loses all of it. */
export async function responseOf(
  value: ServiceResponse,
  platform: Platform,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await wholeOrBegun(value, platform, signal);
  } catch (error) {
    if (isOfMock(error, signal)) return wholeOrBegun(value.fail(error), platform, signal);
    value.end(false);
    throw error;
  }
}

/** Whether neither a fault nor the caller has broken off the response, but a defect of the mock. */
function isOfMock(error: unknown, signal: AbortSignal): boolean {
  return !(error instanceof ConnectionError) && !signal.aborted;
}

async function wholeOrBegun(
  value: ServiceResponse,
  platform: Platform,
  signal: AbortSignal,
): Promise<Response> {
  const { status, headers, body, delivery } = value;
  const init = {
    status,
    statusText: platform.reasonPhrases[status] ?? '',
    headers: pairsOf(headers),
  };
  if (!delivery && (WITHOUT_BODY.includes(status) || body === '')) {
    const response = new Response(null, init);
    value.end(true);
    return response;
  }
  // A copy, because the caller may change what it reads, and the response cache may keep the bytes.
  const own = body instanceof Uint8Array ? { ...value, body: new Uint8Array(body) } : value;
  const pieces = contentPieces(own, platform, signal);
  const first = await firstOf(own, pieces);
  return new Response(streamOf(first, pieces, own, signal), init);
}

export const NOTHING = new Uint8Array();

/** What the response begins with; only its head if the pieces come later. */
async function firstOf(
  { body, delivery }: ServiceResponse,
  pieces: AsyncGenerator<Uint8Array, void>,
): Promise<Uint8Array> {
  if (delivery?.pieces) return NOTHING;
  if (!delivery && isWhole(body)) return bytesOf(body);
  return (await pieces.next()).value ?? NOTHING;
}

function isWhole(body: ResponseBody): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/**
 * The body, which arrives whether or not it is read; only one that may never end waits for its
 * reader. As with the global `fetch`, an abort discards what has not been read yet, but a broken
 * connection does not.
 */
function streamOf(
  first: Uint8Array,
  others: AsyncGenerator<Uint8Array, void>,
  value: ServiceResponse,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let fail: (() => void) | undefined;
  let noteRead: (() => void) | undefined;
  async function pour(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      for await (const piece of others) {
        controller.enqueue(piece);
        if (value.delivery || hasLength(value.headers)) continue;
        await new Promise<void>((resolve) => {
          noteRead = resolve;
        });
      }
      controller.close();
      value.end(true);
    } catch (error) {
      if (isOfMock(error, signal)) value.fail(error);
      value.end(false);
      fail = () => controller.error(brokenOffBy(error));
      if (controller.desiredSize === 1) fail();
    }
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener('abort', () => {
        value.end(false);
        controller.error(brokenOffBy(signal.reason));
      });
      if (first.length > 0) controller.enqueue(first);
      if (value.delivery || !isWhole(value.body)) void pour(controller);
      else {
        controller.close();
        value.end(true);
      }
    },
    // Called when everything that has arrived was read.
    pull() {
      fail?.();
      noteRead?.();
    },
    cancel() {
      value.end(false);
      void others.return();
    },
  });
}

async function* contentPieces(
  value: ServiceResponse,
  platform: Platform,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { body, delivery } = value;
  if (delivery) yield* faultyPieces(delivery, platform, signal);
  else if (!isWhole(body)) {
    const encoder = new TextEncoder();
    for await (const piece of body) yield typeof piece === 'string' ? encoder.encode(piece) : piece;
  }
}

/** What arrives of the body; an error before its first piece loses the whole response. */
async function* faultyPieces(
  { pieces = [], pieceMs = 0, ending }: Delivery,
  platform: Platform,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for (const piece of pieces) {
    if (pieceMs > 0) await platform.wait(pieceMs, signal);
    if (piece.length > 0) yield piece;
  }
  if (ending === 'close') throw closed();
  if (ending === 'reset') throw new ConnectionError('read ECONNRESET', 'ECONNRESET');
}

/** What reading a body that breaks off rejects with, as with the global `fetch`. */
function brokenOffBy(reason: unknown): unknown {
  return reason instanceof ConnectionError ? failureBy(reason, 'terminated') : reason;
}

export function closed(): ConnectionError {
  return new ConnectionError('other side closed', 'UND_ERR_SOCKET');
}

export function failure(code: string, sentence: string): TypeError {
  return failureBy(new ConnectionError(sentence, code));
}

export function failureBy(cause: ConnectionError, message = 'fetch failed'): TypeError {
  return new TypeError(message, { cause });
}
