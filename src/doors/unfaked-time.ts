import { performance as stopwatch } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';

/**
 * Timers and a stopwatch that responses need, from Node's modules: test runners fake the globals. The
 * build keeps what `node:timers` has when the package is loaded, since some fake its members as well.
 */
export { clearTimeout, setImmediate, setTimeout } from 'node:timers';

/** Milliseconds of a monotonic clock; only differences are meaningful. */
export const elapsedMs = stopwatch.now.bind(stopwatch);

const STARTED_AT_MS = stopwatch.timeOrigin;

/** The time in milliseconds since 1970, however a test has set the clock. */
export function realTimeMs(): number {
  return STARTED_AT_MS + elapsedMs();
}

/** What happens at intervals, from a start to the next stop. */
export interface Repeated {
  start(): void;
  stop(): void;
}

/** Repeats something at intervals, as long as the process has something else to do. */
export function repeated(intervalMs: number, act: () => void): Repeated {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer ??= setInterval(act, intervalMs).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
