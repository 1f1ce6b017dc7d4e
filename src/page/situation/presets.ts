import type { components } from '../../generated/control.js';

type FaultRequest = components['schemas']['FaultRequest'];

/** A failure that clients have to survive. */
interface Preset {
  readonly title: string;
  readonly words: string;
  readonly fault: Omit<FaultRequest, 'times' | 'skip'>;
}

/** Failures that are arranged with a click. */
export const PRESETS: readonly Preset[] = [
  {
    title: 'Slow',
    words: 'Every answer takes 3 seconds.',
    fault: { kind: 'delay', delayMs: 3_000 },
  },
  {
    title: '500',
    words: 'Internal server error; the operation does not run.',
    fault: { kind: 'status', status: 500 },
  },
  {
    title: '429',
    words: 'Too many requests, with Retry-After: 2.',
    fault: { kind: 'status', status: 429, retryAfterS: 2 },
  },
  {
    title: 'Lost answer',
    words: 'The operation runs, and the connection is reset before its answer.',
    fault: { kind: 'reset', phase: 'after' },
  },
  {
    title: 'Malformed',
    words: 'The answer is incomplete JSON.',
    fault: { kind: 'malformed-json' },
  },
];
