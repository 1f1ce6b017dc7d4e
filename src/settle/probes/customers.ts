import type { Probe } from './probe.js';

/** TODO */
export const CUSTOMER_PROBES: readonly Probe[] = [];
