// How long, or how many times, everything is measured.
import type { Target } from './targets.js';

const FULL = {
  rounds: 3,
  starts: 3,
  seconds: 3,
  warmUp: 2,
  settles: (_target: Target) => true,
  inProcess: (_operation: { id: string }) => true,
  firstResponses: 2,
  suite: (_runner: { name: string }) => true,
  pacedSeconds: 20,
  isQuick: false,
  notLarge: [] as string[],
};

/** The operations that a quick run measures in process, and on which two builds are compared. */
export const AMONG_THE_GOALS = [
  ...['getCustomer', 'listMeasurements10', 'listMeasurements1000first', 'listMeasurements1000'],
  'deleteEventsByRefs10',
];

const QUICK: typeof FULL = {
  rounds: 1,
  starts: 1,
  seconds: 0.8,
  warmUp: 0.4,
  settles: ({ withNothingKept }) => withNothingKept !== undefined,
  inProcess: ({ id }) => AMONG_THE_GOALS.includes(id),
  firstResponses: 1,
  suite: ({ name }) => name === 'jest CommonJS',
  pacedSeconds: 4,
  isQuick: true,
  // The limits for which loading a million measurements takes too long.
  notLarge: ['Express', 'Express + validator'],
};

export function planOf(isQuick: boolean) {
  return isQuick ? QUICK : FULL;
}
