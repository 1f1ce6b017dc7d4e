import { hiderOf } from '#spec';
import { describeRequest } from '../seen/evidence.js';
import { bodyOf, type SampleRequest, type SampleResponse } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CallFailed } from './call-failed.js';
import { interrupted } from './rate-and-waits.js';

export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Far more than a page of 1,000 measurements needs; a service must not fill the memory. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_BYTES_OF_A_RUN = 4 * MOST_BYTES;

/**
 * Creates a function that sends one request, follows no redirects, and redacts the token in the
 * response, unless it is so short that other words have it. It throws a `CallFailed` if there is no response, or too much to keep.
 */
export function createTransport({ timeoutMs, signal, token }: CompleteServiceOptions) {
  const hide = hiderOf({ tokens: [token] });
  let bytesOfRun = 0;

  async function send(
    { url, method, headers, body }: OutgoingRequest,
    limits: AbortSignal,
  ): Promise<SampleResponse> {
    const init = { method, headers, body, redirect: 'manual', signal: limits } as const;
    const response = await fetch(url, init);
    const text = await readText(response);
    bytesOfRun += text.length;
    return {
      status: response.status,
      headers: Object.fromEntries(
        [...response.headers].map(([name, value]) => [name, hide(value)]),
      ),
      body: bodyOf(hide(text)),
    };
  }

  return async (request: OutgoingRequest, described: SampleRequest): Promise<SampleResponse> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(request, signal ? AbortSignal.any([signal, timeout]) : timeout);
      if (bytesOfRun <= MOST_BYTES_OF_A_RUN) return response;
    } catch (error) {
      if (signal?.aborted) throw interrupted();
      const reason = timeout.aborted ? `no response within ${timeoutMs / 1000} s` : reasonOf(error);
      const message = `${describeRequest(described)} -> ${hide(reason)}`;
      throw new CallFailed(message, 'counted', { isLoss: true });
    }
    throw new CallFailed('the responses are too large to keep', 'breaks-off');
  };
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw Object.assign(new Error(), { code: TOO_LARGE });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const CLOSED = 'no response, the connection was closed';
const TOO_LARGE = 'TOO_LARGE';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no response, the connection was refused',
  ECONNRESET: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ENOTFOUND: 'no response, the host name is unknown',
  EAI_AGAIN: 'no response, the host name cannot be resolved now',
  HPE_INVALID_CONSTANT: 'no response in HTTP/1.1: this service speaks HTTP/2 only',
  [TOO_LARGE]: `a response of more than ${MOST_BYTES} bytes`,
};

/** `fetch` puts the reason into the `cause` of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: inner = message } = (cause ?? error) as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? `no response, ${code ?? inner}`;
}
