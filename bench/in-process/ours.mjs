// Ours in process, as shipped: validation, journal and everything else.
import { createMockServer } from 'usage-billing-mock';

/** What answers requests in this process. */
export async function open(_records, dataset) {
  const server = await createMockServer({ dataset });
  return server.fetch;
}
