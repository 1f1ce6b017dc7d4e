import type { Sign } from '../../core/stubs/issued-tokens.js';

/** Work in small steps, between which other work may run. */
export type Steps<Result> = Generator<void, Result, void>;

/** What the service needs from the platform it runs on. */
export interface Platform {
  readonly reasonPhrases: Readonly<Record<number, string | undefined>>;
  /** Milliseconds on a monotonic clock; only differences are meaningful. */
  elapsedMs(): number;
  /** Calls `act` once after a delay; returns a function that cancels it. */
  after(delayMs: number, act: () => void): () => void;
  /** Resolves after a delay; rejects with the signal's reason if it is aborted before. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Like `after`, but does not keep the process alive. */
  later(delayMs: number, act: () => void): () => void;
  /** Does long work in slices, so that other requests are served in between, and short work at once. */
  run<Result>(steps: Steps<Result>): Promise<Result>;
  /** In UTF-8. */
  byteLength(text: string): number;
  /** Decodes content (RFC 9110, section 8.4.1); undefined if the coding is not supported. */
  decode(coding: string, content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> | undefined;
  /** In hexadecimal digits. */
  sha256(bytes: Uint8Array): string;
  readonly sign: Sign;
  /** Compares two secrets, in constant time unless the mock runs in a page. */
  isSameSecret(one: string, other: string): boolean;
}

/** After this time, a slice of work ends with its current step, and requests are served. */
const SLICE_MS = 10;

export function timing(
  { elapsedMs, after }: Pick<Platform, 'elapsedMs' | 'after'>,
  pause: () => Promise<void>,
): Pick<Platform, 'wait' | 'run'> {
  return {
    wait: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          cancel();
          reject(signal.reason);
        };
        const cancel = after(delayMs, () => {
          signal.removeEventListener('abort', leave);
          resolve();
        });
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave, { once: true });
      }),
    async run<Result>(steps: Steps<Result>): Promise<Result> {
      for (;;) {
        const until = elapsedMs() + SLICE_MS;
        do {
          const { done, value } = steps.next();
          if (done) return value;
        } while (elapsedMs() < until);
        await pause();
      }
    },
  };
}
