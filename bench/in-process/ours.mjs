// This mock in process, with everything that it does by default; or the build in BENCH_BUILD.
import { createRequire } from 'node:module';

const { BENCH_BUILD } = process.env;
const from = BENCH_BUILD === undefined ? import.meta.url : `${BENCH_BUILD}/package.json`;
const { createMockServer } = createRequire(from)('usage-billing-mock');

/** @import { Open } from '../types.js' */

/**
 * Opens a mock that answers requests in this process.
 * @type {Open}
 */
export async function open(_records, dataset) {
  const server = await createMockServer({ dataset });
  return server.fetch;
}
