import { performance as stopwatch } from 'node:perf_hooks';

/**
 * Timers and a stopwatch that answers need, from Node's modules: test runners fake the globals. The
 * build keeps what `node:timers` has when the package is loaded, since some fake its members as well.
 */
export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';

/** Milliseconds on a clock that nobody sets; only differences mean something. */
export const elapsedMs = stopwatch.now.bind(stopwatch);

const STARTED_AT_MS = stopwatch.timeOrigin;

/** The time in milliseconds since 1970, however a test has set the clock. */
export function realTimeMs(): number {
  return STARTED_AT_MS + elapsedMs();
}
