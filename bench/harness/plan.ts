// How long, or how many times, everything is measured.
import type { Target } from './targets.js';

const FULL = {
  rounds: 3,
  starts: 3,
  seconds: 3,
  warmUp: 2,
  settles: (_target: Target) => true,
  firstResponses: 2,
  suite: (_runner: { name: string }) => true,
  pacedSeconds: 20,
  isQuick: false,
  notLarge: [] as string[],
};

const QUICK: typeof FULL = {
  rounds: 1,
  starts: 1,
  seconds: 0.8,
  warmUp: 0.4,
  settles: ({ withNothingKept }) => withNothingKept !== undefined,
  firstResponses: 1,
  suite: ({ name }) => name === 'jest CommonJS',
  pacedSeconds: 4,
  isQuick: true,
  // The limits for which loading a hundred thousand measurements takes too long.
  notLarge: ['Express', 'Express + validator'],
};

export function planOf(isQuick: boolean) {
  return isQuick ? QUICK : FULL;
}
