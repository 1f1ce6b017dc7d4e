import type { Probe } from './probe.js';

/** TODO */
export const DELETION_PROBES: readonly Probe[] = [];
