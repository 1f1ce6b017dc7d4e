/**
 * The part of `fetch` that is used: the global one of any runtime has it.
 *
 * @example
 * const fetching: FetchLike = (url, init) => fetch(url, init);
 */
export type FetchLike = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    /** A redirect may lead to another server, which is to get no token and not to be believed. */
    readonly redirect: 'manual';
    /** Aborts when the time is over; left out where `fetch` would refuse it, as under jsdom. */
    readonly signal?: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  /** Without the field `X-Control-Plane` a response is not taken for one of the mock. */
  readonly headers: { get(name: string): string | null };
  /** A stream, of which no more is read than is accepted; without one, `text` is called. */
  readonly body?: unknown;
  text(): Promise<string>;
}>;

/** What limits a call. */
export interface CallLimits {
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

/** A response, as far as it matters. */
export interface ReceivedResponse {
  readonly status: number;
  /** Whether the control plane of a mock sent it. */
  readonly isFromMock: boolean;
  /** Where it redirects to; `undefined` if it does not, `''` where a browser does not tell. */
  readonly location: string | undefined;
  /** Undefined if it is longer than is accepted. */
  readonly text: string | undefined;
}

const currentSetImmediate = () => (globalThis as { readonly setImmediate?: unknown }).setImmediate;
/** Taken before a test fakes it. */
const realSetImmediate = currentSetImmediate();

/** Sends a request. Rejects if there is no complete response in time; follows no redirect. */
export async function receive(
  fetch: FetchLike,
  url: string,
  init: Omit<Parameters<FetchLike>[1], 'redirect' | 'signal'>,
  { timeoutMs, maxResponseBytes }: CallLimits,
): Promise<ReceivedResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  let expire = () => {};
  const expired = new Promise<never>((_resolve, reject) => {
    expire = () => {
      const isFaked = currentSetImmediate() !== realSetImmediate;
      const hint = isFaked ? "; setImmediate is faked, and Node's fetch needs the real one" : '';
      reject(new Error(`no complete response within timeoutMs (${timeoutMs} ms)${hint}`));
    };
  });
  signal.addEventListener('abort', expire);
  const respond = async () => {
    const given = { ...init, redirect: 'manual', ...(isFit(signal, url) && { signal }) } as const;
    const response = await fetch(url, given);
    const { status, headers } = response;
    // In a browser the status of a redirect is 0, and the rest of it hidden.
    const isRedirect = status === 0 || (status >= 300 && status < 400);
    const location = isRedirect ? (headers.get('location') ?? '') : undefined;
    const isFromMock = headers.get('x-control-plane') === 'usage-billing-mock';
    return {
      status,
      isFromMock,
      location,
      text: await textOf(response, isRedirect ? 0 : maxResponseBytes),
    };
  };
  try {
    return await Promise.race([respond(), expired]);
  } finally {
    signal.removeEventListener('abort', expire);
  }
}

/** Whether this runtime's `fetch` accepts the signal: under jsdom the two do not belong together. */
function isFit(signal: AbortSignal, url: string): boolean {
  try {
    return new Request(url, { signal }).url !== '';
  } catch {
    return false;
  }
}

async function textOf(
  response: Awaited<ReturnType<FetchLike>>,
  mostBytes: number,
): Promise<string | undefined> {
  const { body } = response as { readonly body?: Partial<ReadableStream<Uint8Array>> | null };
  const reader = 'TextDecoder' in globalThis ? body?.getReader?.() : undefined;
  if (!reader) {
    const text = await response.text();
    return text.length > mostBytes ? undefined : text;
  }
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
