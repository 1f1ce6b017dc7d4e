// What a figure is held against.

/** @import { Bench } from '../types.js' */

export const NODE_HTTP = 'node:http';
export const EXPRESS = 'Express';

/**
 * The peer that is best at a measure, undefined if none has a figure.
 * @param {Bench} bench
 * @param {string} measure
 * @param {string[]} peers
 * @param {boolean} isMoreBetter
 */
export function bestPeer({ results }, measure, peers, isMoreBetter) {
  const ranked = peers
    .map((name) => ({ name, value: results.median(measure, name) ?? Number.NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((one, other) => one.value - other.value);
  return isMoreBetter ? ranked.at(-1) : ranked[0];
}

/**
 * The figure of ours over another's, undefined where either is missing.
 * @param {number | undefined} value
 * @param {number | undefined} reference
 */
export function ratio(value, reference) {
  return value === undefined || !reference ? undefined : value / reference;
}

/** @param {Bench} bench */
export function peersOf({ targets }) {
  return targets.filter(({ kind }) => kind === 'peer').map(({ name }) => name);
}
