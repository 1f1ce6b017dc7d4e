import { setTimeout as passed } from 'node:timers/promises';
import config from '../../jest.config.mjs';
import type { MockServer } from '../../src/index.js';

/** What a client receives of one call over a socket before it breaks off. */
export interface Fetched {
  readonly status?: number;
  readonly headers: Headers;
  /** The whole body; empty if it is incomplete. */
  readonly text: string;
  /** How many pieces the body arrived in. */
  readonly pieces: number;
  /** The error of `fetch` if the response is incomplete, with the code of its cause. */
  readonly failure?: string;
  /** The message of that cause. */
  readonly cause?: string;
  readonly durationMs: number;
}

/** Calls a started server as an account, over its socket by default; never rejects. */
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

/** Waits until a condition holds; rejects after a fifth of the time that a test may take. */
export async function until(isSo: () => boolean): Promise<void> {
  const latest = performance.now() + config.testTimeout / 5;
  while (!isSo()) {
    if (performance.now() > latest) throw new Error('It did not come to be so.');
    await passed(1);
  }
}
