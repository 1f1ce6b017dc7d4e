import type { ControlOperations } from './control-operation.js';

/** The latency of the account. */
export const LATENCY_OPERATIONS = {
  getLatency: ({ account }) => account.latency.range,
  setLatency({ account }, { body: { latency } }) {
    account.latency.set(latency);
    return account.latency.range;
  },
  clearLatency({ account }) {
    account.latency.clear();
    return account.latency.range;
  },
} satisfies Partial<ControlOperations>;
