import { performance as stopwatch } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';

/**
 * Timers and a stopwatch from Node's modules, since test runners fake the globals. Some fake the
 * members of `node:timers` too, so the built package takes them once, when it is loaded.
 */
export { clearTimeout, setImmediate, setTimeout } from 'node:timers';

/** Milliseconds of a monotonic clock; only differences are meaningful. */
export const elapsedMs = stopwatch.now.bind(stopwatch);

const STARTED_AT_MS = stopwatch.timeOrigin;

/** The time in milliseconds since 1970, however a test has set the clock. */
export function realTimeMs(): number {
  return STARTED_AT_MS + elapsedMs();
}

export interface Repeated {
  start(): void;
  stop(): void;
}

/** Calls `act` at intervals while started, which does not keep the process alive. */
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
