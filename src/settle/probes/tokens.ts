import type { AskedCall, Probe } from './probe.js';

const SHORTEST_LISTING: AskedCall = { operationId: 'listMeasurements', query: [['limit', '1']] };

/** A listing without a token and with a made-up one. */
export const TOKEN_PROBES: readonly Probe[] = [
  {
    requests: 'GET /measurements?limit=1 without a token',
    tells: ['unauthorized-status', 'error-body', 'unknown-token'],
    send: async (ask) => {
      await ask({ ...SHORTEST_LISTING, token: 'none' });
    },
  },
  {
    requests: 'GET /measurements?limit=1 with a made-up token',
    tells: ['unknown-token', 'unauthorized-status', 'error-body'],
    send: async (ask) => {
      await ask({ ...SHORTEST_LISTING, token: 'made-up' });
    },
  },
];
