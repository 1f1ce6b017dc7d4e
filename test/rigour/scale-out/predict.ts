import type { Measurement } from './measure.js';

/**
 * The requests per second of what was measured, from the CPU time that a request took elsewhere:
 * each mock, and the load generator, has one thread, and all of them together have the cores that
 * other programs left.
 */
export function predict({ mocks, cores }: Measurement, cpuMs: Measurement['cpuMs']): number {
  const { mock, nginx, generator } = cpuMs;
  const limits = [mocks / mock, 1 / generator, cores / (mock + nginx + generator)];
  return Math.min(...limits) * 1_000;
}

/** A row of the listing: requests per second with a core for each mock, and the cores for that. */
export function coresNeeded(mocks: number, { mock, nginx }: Measurement['cpuMs']): string[] {
  const requestsPerSecond = (mocks / mock) * 1_000;
  const coresOfNginx = (requestsPerSecond * nginx) / 1_000;
  return [mocks, requestsPerSecond.toFixed(0), mocks, coresOfNginx.toFixed(1)].map(String);
}
