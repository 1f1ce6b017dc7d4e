import { elapsedMs, setTimeout } from '../../host/adapters/unfaked-time.js';
import type { MatcherContext } from './find-calls.js';
import type { WaitingOptions } from './matcher-types.js';

/** How long to wait for further requests that could break what holds now. */
const HELD_MS = 500;
const LOOK_AGAIN_MS = 100;

export interface Finding {
  readonly pass: boolean;
  /** True if no further request can change the outcome. */
  readonly isFinal: boolean;
}

/** Looks again until the outcome is final or the time is up. */
export async function lookUntilSettled<Found extends Finding>(
  { isNot = false, timeoutMs = 0 }: MatcherContext,
  { timeout }: WaitingOptions = {},
  find: () => Promise<Found>,
): Promise<Found> {
  const begunAtMs = elapsedMs();
  for (;;) {
    const found = await find();
    const isExpected = found.pass !== isNot;
    const mostMs = timeout ?? (isExpected ? Math.min(timeoutMs, HELD_MS) : timeoutMs);
    if (found.isFinal || elapsedMs() - begunAtMs >= mostMs) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
