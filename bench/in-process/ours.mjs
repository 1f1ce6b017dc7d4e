// Ours in process, as shipped: validation, journal and everything else.
import { createMockServer } from 'usage-billing-mock';

/** @import { Open } from '../types.js' */

/**
 * What answers requests in this process.
 * @type {Open}
 */
export async function open(_records, dataset) {
  const server = await createMockServer({ dataset });
  return server.fetch;
}
