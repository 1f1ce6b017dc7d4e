import { runInThisContext } from 'node:vm';
import { connectMockServer } from '../../client/index.js';
import type { Fetch } from '../../http/in-process-fetch.js';
import type { MockInUse } from '../mock-in-use.js';
import { realTime } from '../real-time.js';
import { straysSince } from '../story.js';
import type { SharedMockAddress } from './shared-mock-variable.js';

/** Node's own, before a test replaces it: tools intercept the global one, and `jsdom` has none. */
const nodeFetch: typeof fetch = runInThisContext('fetch');

/** What runners call their workers. */
const WORKER_VARIABLES = ['JEST_WORKER_ID', 'VITEST_POOL_ID', 'TEST_WORKER_INDEX'];

/** Joins the mock that the set-up of the run has started. Rejects if it no longer answers. */
export async function joinSharedMock(address: SharedMockAddress): Promise<MockInUse> {
  const { url, run, seed, controlToken } = address;
  const server = connectMockServer({
    url,
    fetch: nodeFetch,
    ...(controlToken !== undefined && { controlToken }),
  });
  await refuseSilence(server.journal.count({ since: realTime() }), url);
  const worker = WORKER_VARIABLES.map((name) => process.env[name]).find(Boolean);
  return {
    url,
    server,
    seed,
    fetch: overSocket(url),
    accountsBelow: [run, worker ?? String(process.pid)],
    watchStrays() {
      const since = realTime();
      return () => straysSince(server, since);
    },
    stop: async () => undefined,
  };
}

async function refuseSilence(answer: Promise<unknown>, url: string): Promise<void> {
  try {
    await answer;
  } catch (error) {
    throw new Error(
      `The shared mock of this run, ${url}, does not answer: ${(error as Error).message} Run the tests again, or call useMockServer({ shared: false }).`,
      { cause: error },
    );
  }
}

/** As `server.fetch`: the host of a URL does not matter, and a path is one of the mock. */
function overSocket(url: string): Fetch {
  const { origin } = new URL(url);
  return (input, init) => {
    const isAddress = typeof input === 'string' || 'href' in input;
    const { pathname, search } = new URL(isAddress ? input : input.url, `${url}/`);
    const target = `${origin}${pathname}${search}`;
    return nodeFetch(isAddress ? target : new Request(target, input), init);
  };
}
