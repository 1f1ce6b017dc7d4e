// Compares figures of this mock with others.

import type { Bench } from '../harness/bench.js';

/** A server that gives one response, whatever is asked. */
export const NODE_ALONE = 'node:http alone';
export const NODE_HTTP = 'node:http';
export const EXPRESS = 'Express';

/** The peer with the best figure for a measure; undefined if none has one. */
export function bestPeer(
  { results }: Bench,
  measure: string,
  peers: string[],
  isMoreBetter: boolean,
) {
  const ranked = peers
    .map((name) => ({ name, value: results.median(measure, name) ?? Number.NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((one, other) => one.value - other.value);
  return isMoreBetter ? ranked.at(-1) : ranked[0];
}

/** This mock's figure divided by another; undefined if either is missing. */
export function ratio(value: number | undefined, reference: number | undefined) {
  return value === undefined || !reference ? undefined : value / reference;
}

export function peersOf({ targets }: Bench) {
  return targets.filter(({ kind }) => kind === 'peer').map(({ name }) => name);
}
