import { TOKENS } from '../seen/evidence.js';
import { CUSTOMER_PROBES } from './customer-probes.js';
import { DELETION_PROBES } from './deletion-probes.js';
import { LISTING_AGAIN, LISTING_PROBES } from './listing-probes.js';
import type { Probe, ProbeRequest } from './probe.js';

const SHORTEST_LISTING: ProbeRequest = {
  operationId: 'listMeasurements',
  query: [['limit', '1']],
};

/**
 * Listings without a token and with made-up ones, each followed by one with the given token: if
 * the service refuses the given token from then on, it has locked it out.
 */
export const TOKEN_PROBES: readonly Probe[] = (['none', 'made-up', 'alike'] as const).map(
  (token) => ({
    requests: `GET /measurements?limit=1${TOKENS[token]}, and again with the given one`,
    madeUp: token === 'none' ? 'calls without a token' : 'random tokens',
    // Without a token, it shows only whether the service needs one.
    ...(token === 'none'
      ? { tells: ['unauthorized-status', 'error-body'], supports: ['unknown-token'] }
      : { tells: ['unauthorized-status', 'unknown-token', 'error-body'] }),
    send: async (ask) => {
      await ask({ ...SHORTEST_LISTING, token }).finally(() => ask(SHORTEST_LISTING));
    },
  }),
);

/**
 * Every probe, in the order of sending: those that change records come late, and those that may
 * lock the token out come last.
 */
export const PROBES: readonly Probe[] = [
  ...LISTING_PROBES,
  ...CUSTOMER_PROBES,
  ...DELETION_PROBES,
  LISTING_AGAIN,
  ...TOKEN_PROBES,
];
