import type { Steps } from '../store/work-in-steps.js';
import type { Sign } from '../stubs/issued-tokens.js';

/** What the service needs of where it runs. */
export interface Platform {
  /** Milliseconds on a clock that nobody sets; only differences mean something. */
  elapsedMs(): number;
  /** Calls once after a time; returns what cancels the call. */
  after(delayMs: number, act: () => void): () => void;
  /** Resolves after a time; rejects with the reason of the signal once that is aborted. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  /** The same as `after`, for what need not happen before the process ends. */
  later(delayMs: number, act: () => void): () => void;
  /** Does long work in short slices, and lets other requests in between; short work at once. */
  run<Result>(steps: Steps<Result>): Promise<Result>;
  /** The number of bytes of the text in UTF-8. */
  byteLength(text: string): number;
  /** Decodes a content coding (RFC 9110, section 8.4.1); undefined if it does not know that one. */
  decode(coding: string, content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> | undefined;
  /** The SHA-256 of the bytes, in hexadecimal digits. */
  sha256(bytes: Uint8Array): string;
  readonly sign: Sign;
  /** Compares two secrets in a time that does not depend on what they have in common. */
  isSameSecret(one: string, other: string): boolean;
}
