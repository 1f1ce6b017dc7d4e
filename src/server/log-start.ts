import type { Logger } from 'pino';
import type { Datasets } from '../datasets/read-datasets.js';
import type { CompleteOptions } from '../options/complete-options.js';

/** Logs, for who looks into a mock that behaves unlike expected, what it was started with. */
export function logStart(
  logger: Logger,
  { accounts, controlToken, ...options }: CompleteOptions,
  { main, decisions }: Datasets,
  readMs: number,
): void {
  const details = {
    ...options,
    // By their tokens nobody else should reach them.
    accounts: Object.values(accounts),
    ...(controlToken !== undefined && { controlToken: '[redacted]' }),
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
