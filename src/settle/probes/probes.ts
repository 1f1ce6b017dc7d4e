import { CUSTOMER_PROBES } from './customer-probes.js';
import { DELETION_PROBES } from './deletion-probes.js';
import { LISTING_PROBES } from './listing-probes.js';
import type { Probe, ProbeRequest } from './probe.js';

const SHORTEST_LISTING: ProbeRequest = {
  operationId: 'listMeasurements',
  query: [['limit', '1']],
};

/** A listing without a token and with a made-up one. */
export const TOKEN_PROBES: readonly Probe[] = [
  {
    requests: 'GET /measurements?limit=1 without a token',
    tells: ['unauthorized-status', 'error-body', 'unknown-token'],
    send: (ask) => ask({ ...SHORTEST_LISTING, token: 'none' }),
  },
  {
    requests: 'GET /measurements?limit=1 with a made-up token',
    tells: ['unknown-token', 'unauthorized-status', 'error-body'],
    send: (ask) => ask({ ...SHORTEST_LISTING, token: 'made-up' }),
  },
];

/** Every probe, in the order in which they are sent; those that change records come last. */
export const PROBES: readonly Probe[] = [
  ...LISTING_PROBES,
  ...CUSTOMER_PROBES,
  ...TOKEN_PROBES,
  ...DELETION_PROBES,
];
