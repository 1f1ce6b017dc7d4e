import { setTimeout as passed } from 'node:timers/promises';
import type { MockServer } from '../../src/index.js';

/** What a client sees of one call over a socket, up to where it breaks off. */
export interface Fetched {
  readonly status?: number;
  readonly headers: Headers;
  /** The whole body; empty if it did not come whole. */
  readonly text: string;
  /** In how many pieces the body came. */
  readonly pieces: number;
  /** What fetch says if the response or its body did not come whole, with the code of the cause. */
  readonly failure?: string;
  /** The message of that cause. */
  readonly cause?: string;
  readonly durationMs: number;
}

/** Calls a started server as an account, over its socket unless told otherwise; never rejects. */
export async function fetchAs(
  { url }: Pick<MockServer, 'url'>,
  token: string,
  path: string,
  init: RequestInit = {},
  send: typeof fetch = fetch,
): Promise<Fetched> {
  const startedAt = performance.now();
  const headers = { Authorization: `Bearer ${token}`, ...init.headers };
  const seen = { headers: new Headers(), text: '', pieces: 0 };
  const durationMs = () => performance.now() - startedAt;
  try {
    const response = await send(`${url}${path}`, { ...init, headers });
    Object.assign(seen, { status: response.status, headers: response.headers });
    const bytes: Uint8Array[] = [];
    for await (const piece of response.body ?? []) bytes.push(piece);
    const text = Buffer.concat(bytes).toString();
    return { ...seen, text, pieces: bytes.length, durationMs: durationMs() };
  } catch (thrown) {
    const { message, cause } = thrown as Error & { cause?: NodeJS.ErrnoException };
    return {
      ...seen,
      failure: cause ? `${message}: ${cause.code}` : message,
      ...(cause && { cause: cause.message }),
      durationMs: durationMs(),
    };
  }
}

/** Waits until it is so; rejects if it is not within 50 seconds, before the test itself times out. */
export async function until(isSo: () => boolean): Promise<void> {
  const latest = performance.now() + 50_000;
  while (!isSo()) {
    if (performance.now() > latest) throw new Error('It did not come to be so.');
    await passed(1);
  }
}
