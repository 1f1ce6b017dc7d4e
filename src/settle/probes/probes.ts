import { CUSTOMER_PROBES } from './customers.js';
import { DELETION_PROBES } from './deletions.js';
import { MEASUREMENT_PROBES } from './measurements.js';
import type { Probe } from './probe.js';
import { TOKEN_PROBES } from './tokens.js';

/** Every probe, in the order in which they are sent; those that change records come last. */
export const PROBES: readonly Probe[] = [
  ...MEASUREMENT_PROBES,
  ...CUSTOMER_PROBES,
  ...TOKEN_PROBES,
  ...DELETION_PROBES,
];
