import type { Measurement } from './measure.js';

/**
 * Predicts the requests a second from the CPU time of a request in another measurement: each mock,
 * and the load generator, has one thread, and together they have the cores that others left.
 */
export function predict({ mocks, cores }: Measurement, cpuMs: Measurement['cpuMs']): number {
  const { mock, nginx, generator } = cpuMs;
  const limits = [mocks / mock, 1 / generator, cores / (mock + nginx + generator)];
  return Math.min(...limits) * 1_000;
}

/** A row of the listing: the requests a second with a core for each mock, and the cores needed. */
export function coresNeeded(mocks: number, { mock, nginx }: Measurement['cpuMs']): string[] {
  const requestsPerSecond = (mocks / mock) * 1_000;
  const coresOfNginx = (requestsPerSecond * nginx) / 1_000;
  return [mocks, requestsPerSecond.toFixed(0), mocks, coresOfNginx.toFixed(1)].map(String);
}
