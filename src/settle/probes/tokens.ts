import type { Probe } from './probe.js';

/** TODO */
export const TOKEN_PROBES: readonly Probe[] = [];
