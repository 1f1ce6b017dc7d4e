// How much of everything is measured.

/** @import { Amounts, Plan } from '../types.js' */

/** @type {Amounts} */
const FULL = {
  rounds: 3,
  starts: 3,
  seconds: 3,
  firstWarmUp: 2,
  warmUp: 1,
  settles: () => true,
  inProcessWarmUp: 2,
  inProcess: () => true,
  firstAnswers: 2,
  suite: () => true,
  pacedSeconds: 20,
  installs: 2,
};
/** What a quick run asks in process, and what is asked of two builds. */
export const AMONG_THE_GOALS = [
  'getCustomer',
  'listMeasurements10',
  'listMeasurements1000',
  'deleteEventsByRefs10',
];
/** @type {Amounts} */
const QUICK = {
  rounds: 1,
  starts: 1,
  seconds: 0.8,
  firstWarmUp: 0.8,
  warmUp: 0.2,
  settles: ({ withNothingKept }) => withNothingKept !== undefined,
  inProcessWarmUp: 0.4,
  inProcess: ({ id }) => AMONG_THE_GOALS.includes(id),
  firstAnswers: 1,
  suite: ({ name }) => name === 'jest CommonJS',
  pacedSeconds: 4,
  installs: 1,
};

/** Peers that a quick run leaves out: the slowest, which are the fastest at nothing. */
const LEFT_OUT = ['Mockoon', 'openapi-backend', 'Prism'];
/** Limits that a quick run does not fill with a million measurements. */
const NOT_LARGE = ['Express', 'Express + validator'];

/**
 * @param {boolean} isQuick
 * @returns {Plan}
 */
export function planOf(isQuick) {
  if (!isQuick) return { isQuick, leftOut: [], notLarge: [], ...FULL };
  return { isQuick, leftOut: LEFT_OUT, notLarge: NOT_LARGE, ...QUICK };
}
