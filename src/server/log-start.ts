import type { Logger } from 'pino';
import type { Datasets } from '../datasets/read-datasets.js';
import type { CompleteOptions } from '../options/complete-options.js';

/** Logs the options and the dataset, for those who debug a mock that behaves unexpectedly. */
export function logStart(
  logger: Logger,
  { accounts, controlToken, stubs, routes, ...options }: CompleteOptions,
  { main, decisions }: Datasets,
  readMs: number,
): void {
  const details = {
    ...options,
    // Whoever reads a token could call its account.
    accounts: Object.values(accounts),
    ...(controlToken !== undefined && { controlToken: '[redacted]' }),
    stubs: stubs.map(({ method, path }) => `${method} ${path}`),
    decisions: { ...decisions, ...options.decisions },
  };
  logger.debug({ details }, 'options in force');
  const { seed, customers, contracts, measurements, events } = main;
  const sizes = {
    customers: customers.size,
    contracts: contracts.size,
    measurements: measurements.size,
    events: events.size,
  };
  logger.debug({ details: { seed, ...sizes } }, `dataset read in ${Math.round(readMs)} ms`);
}
