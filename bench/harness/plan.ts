// How much of everything is measured, in seconds or times.
import type { Target } from './targets.js';

const FULL = {
  rounds: 3,
  starts: 3,
  seconds: 3,
  firstWarmUp: 2,
  warmUp: 1,
  settles: (_target: Target) => true,
  inProcessWarmUp: 2,
  inProcess: (_operation: { id: string }) => true,
  firstResponses: 2,
  suite: (_runner: { name: string }) => true,
  pacedSeconds: 20,
  isQuick: false,
  notLarge: [] as string[],
};

/** What a quick run asks in process, and what is asked of two builds. */
export const AMONG_THE_GOALS = [
  ...['getCustomer', 'listMeasurements10', 'listMeasurements1000first', 'listMeasurements1000'],
  'deleteEventsByRefs10',
];

const QUICK: typeof FULL = {
  rounds: 1,
  starts: 1,
  seconds: 0.8,
  firstWarmUp: 0.8,
  warmUp: 0.2,
  settles: ({ withNothingKept }) => withNothingKept !== undefined,
  inProcessWarmUp: 0.4,
  inProcess: ({ id }) => AMONG_THE_GOALS.includes(id),
  firstResponses: 1,
  suite: ({ name }) => name === 'jest CommonJS',
  pacedSeconds: 4,
  isQuick: true,
  // Limits that are not filled with a million measurements.
  notLarge: ['Express', 'Express + validator'],
};

export function planOf(isQuick: boolean) {
  return isQuick ? QUICK : FULL;
}
