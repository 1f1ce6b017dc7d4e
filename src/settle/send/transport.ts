import { hiding } from '../../accounts/journal/redact-secrets.js';
import { isTooDeep } from '../../errors/nesting.js';
import { describeCall } from '../evidence.js';
import { type Answer, bodyOf, type Call } from '../exchange.js';
import { CallFailed } from './call-failed.js';
import { interrupted } from './pace.js';

/** One request as it leaves. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Sends one request. Throws a `CallFailed` if it is not answered. */
export type Transport = (request: OutgoingRequest, call: Call) => Promise<Answer>;

/** What limits a request. */
export interface TransportOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The token, which is kept out of what is returned. */
  readonly token: string | undefined;
}

/** Far more than a page of 1000 measurements has; a service must not fill the memory. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_BYTES_OF_A_RUN = 4 * MOST_BYTES;

/** Creates a transport that follows no redirect and keeps the token out of what it returns. */
export function createTransport({ timeoutMs, signal, token }: TransportOptions): Transport {
  const hide = hiding(token === undefined ? [] : [token]);
  let bytesOfRun = 0;

  async function send({ url, method, headers, body }: OutgoingRequest, limits: AbortSignal) {
    const init = { method, headers, redirect: 'manual', signal: limits } as const;
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    const text = await readText(response);
    bytesOfRun += text.length;
    return answerOf(response, text, hide);
  }

  return async (request, call) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await send(request, signal ? AbortSignal.any([signal, timeout]) : timeout);
      if (bytesOfRun <= MOST_BYTES_OF_A_RUN) return answer;
    } catch (error) {
      if (signal?.aborted) throw interrupted();
      const reason = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
      throw new CallFailed(`${describeCall(call)} -> ${hide(reason)}`, 'counted');
    }
    throw new CallFailed('its answers are too large to keep', 'breaks-off');
  };
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`an answer of more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function answerOf(
  { status, headers }: Response,
  text: string,
  hide: (text: string) => string,
): Answer {
  const body = bodyOf(hide(text));
  return {
    status,
    headers: Object.fromEntries([...headers].map(([name, value]) => [name, hide(value)])),
    // What reads bodies works through them level by level.
    body: body.kind === 'json' && isTooDeep(body.value) ? { kind: 'text' } : body,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no answer, the connection was refused',
  ECONNRESET: 'no answer, the connection was closed',
  UND_ERR_SOCKET: 'no answer, the connection was closed',
  ENOTFOUND: 'no answer, the host name is unknown',
  EAI_AGAIN: 'no answer, the host name cannot be resolved now',
};

/** `fetch` wraps what went wrong, sometimes twice. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: inner = message } = (cause ?? error) as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? `no answer, ${code ?? inner}`;
}
