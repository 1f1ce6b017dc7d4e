/**
 * The part of `fetch` that the client uses; the global `fetch` of any runtime has it.
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
    /** A redirect may lead to another server, which must neither get the token nor be believed. */
    readonly redirect: 'manual';
    /** Aborts when the time is up; left out where `fetch` would refuse it, as under jsdom. */
    readonly signal?: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  /** A success without `X-Control-Plane` is not taken for the mock's. */
  readonly headers: { get(name: string): string | null };
  /** A stream, read no further than the limit; if there is none, `text` is called. */
  readonly body?: unknown;
  text(): Promise<string>;
}>;

export interface CallLimits {
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

export interface ReceivedResponse {
  readonly status: number;
  /** Whether the control plane of a mock sent it. */
  readonly isFromMock: boolean;
  /** Where it redirects to: undefined if it does not, `''` if the browser hides the URL. */
  readonly location: string | undefined;
  /** Undefined if it exceeds `maxResponseBytes`, or if it is the non-empty body of a redirect. */
  readonly text: string | undefined;
}

const currentSetImmediate = () => (globalThis as { readonly setImmediate?: unknown }).setImmediate;
/** Read before fake timers can replace it. */
const realSetImmediate = currentSetImmediate();

/** Sends a request and reads the response. Rejects when the time is up; follows no redirect. */
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
      reject(
        new Error(`none within timeoutMs (${timeoutMs} ms)${hint || ', which can be raised'}`),
      );
    };
  });
  signal.addEventListener('abort', expire);
  const respond = async () => {
    const given = {
      ...init,
      redirect: 'manual',
      ...(acceptsSignal(signal, url) && { signal }),
    } as const;
    const response = await fetch(url, given);
    const { status, headers } = response;
    // In a browser, a redirect has the status 0 and hides the rest.
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

/** Whether this runtime's `fetch` accepts the signal. Under jsdom, their realms differ. */
function acceptsSignal(signal: AbortSignal, url: string): boolean {
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
