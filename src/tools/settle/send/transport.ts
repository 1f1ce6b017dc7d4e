import { hiderOf } from '#spec';
import { describeRequest } from '../seen/evidence.js';
import { bodyOf, type SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CallFailed, interrupted } from './call-failed.js';

/** Far more than a page of 1,000 measurements needs; a service must not fill the memory. */
const MAX_BYTES = 16 * 2 ** 20;
const MAX_BYTES_OF_A_RUN = 4 * MAX_BYTES;

/**
 * Creates a function that sends one request, follows no redirects, and redacts the token in the
 * response, unless it is so short that other words have it. It throws a `CallFailed` if there is no
 * response, or too much to keep.
 */
export function createTransport({ timeoutMs, signal, token }: CompleteServiceOptions) {
  const hide = hiderOf({ secrets: [token] });
  let bytesOfRun = 0;

  return async (outgoing: Request, request: SampleRequest) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const limits = AbortSignal.any([signal, timeout]);
    try {
      const response = await fetch(outgoing.clone(), { signal: limits });
      const text = await readText(response);
      bytesOfRun += text.length;
      const { status } = response;
      const headers = hide(Object.fromEntries(response.headers));
      if (bytesOfRun <= MAX_BYTES_OF_A_RUN) return { status, headers, body: bodyOf(hide(text)) };
    } catch (error) {
      if (signal.aborted) throw interrupted();
      const reason = timeout.aborted ? `no response within ${timeoutMs / 1000} s` : reasonOf(error);
      const message = `${describeRequest(request)} -> ${hide(reason)}`;
      throw new CallFailed(message, 'counted', 'unanswered');
    }
    throw new CallFailed('the responses are too large to keep', 'breaks-off');
  };
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw Object.assign(new Error(), { code: TOO_LARGE });
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
  [TOO_LARGE]: `a response of more than ${MAX_BYTES} bytes`,
};

/** `fetch` puts the reason into the `cause` of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: inner = message } = (cause ?? error) as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? `no response, ${code ?? inner}`;
}
