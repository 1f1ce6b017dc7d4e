import { performance as stopwatch } from 'node:perf_hooks';
import timers from 'node:timers';

/**
 * Timers and a stopwatch that answers need. Taken from Node's modules when this one is loaded: test
 * runners fake the globals, and some the members of `node:timers` as well.
 */
export const { setTimeout, clearTimeout } = timers;

/** Milliseconds on a clock that nobody sets; only differences mean something. */
export const elapsedMs = stopwatch.now.bind(stopwatch);
