import type { Probe } from './probe.js';

/** TODO */
export const MEASUREMENT_PROBES: readonly Probe[] = [];
