import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { connectMockServer } from '../../client/index.js';
import type { Fetch } from '../../http/fetch.js';
import type { MockInUse } from '../account-of-test/mock-in-use.js';
import { realTime } from '../account-of-test/real-time.js';
import { straysSince } from '../account-of-test/received-requests.js';
import { receiveResponse } from './receive-response.js';
import { bytesOf } from './request-bytes.js';
import type { SharedMockAddress } from './shared-mock-address.js';

/** What runners call their workers. */
const WORKER_VARIABLES = ['JEST_WORKER_ID', 'VITEST_POOL_ID', 'TEST_WORKER_INDEX'];

/** Joins the mock that the set-up of the run has started. Rejects if it no longer answers. */
export async function joinSharedMock(address: SharedMockAddress): Promise<MockInUse> {
  const { url, run, seed, controlToken } = address;
  const fetch = overSocket(url);
  const server = connectMockServer({ url, fetch, controlToken });
  await refuseSilence(fetch(`${url}/__control/health`), url);
  const worker = WORKER_VARIABLES.map((name) => process.env[name]).find(Boolean);
  return {
    url,
    server,
    seed,
    fetch,
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

/**
 * As `server.fetch`, but over a socket. The global `fetch` is what tools intercept, `jsdom` lacks it,
 * and that of Node waits for timers that a test may have faked.
 */
function overSocket(url: string): Fetch {
  const { protocol, hostname, port } = new URL(url);
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
  // The certificate is one that the set-up was given.
  const options = { ...address, rejectUnauthorized: false };
  const open = () => (protocol === 'https:' ? connectSecurely(options) : connect(address));
  return async (input, init) => {
    const request = new Request(
      typeof input === 'string' ? new URL(input, `${url}/`) : input,
      init,
    );
    const { signal } = request;
    signal.throwIfAborted();
    const bytes = await bytesOf(request);
    const connection = open();
    const abort = () => connection.destroy(signal.reason);
    signal.addEventListener('abort', abort);
    connection.once('close', () => signal.removeEventListener('abort', abort));
    connection.write(bytes);
    return receiveResponse(connection, request);
  };
}
