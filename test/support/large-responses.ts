import type { MockServer, MockServerOptions } from '../../src/index.js';

/** The options of a mock with small journals; each response takes 51 of the 500 places in all. */
export const LARGE_RESPONSES: MockServerOptions = {
  journalSize: 10,
  captureBodies: true,
  routes: () => new Response('x'.repeat(50 * 2_048)),
};

/** How many of these responses all journals keep. */
export const MAX_LARGE = 9;

export async function callLarge(server: MockServer, token: string, times: number): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  for (let nth = 0; nth < times; nth += 1)
    await (await server.fetch('/large', { headers })).arrayBuffer();
}
