import type { Fetch } from '../../host/adapters/fetch.js';
import { WORKER_VARIABLES } from '../../host/server/run-environment.js';
import { connectMockServer } from '../../mock/client/connect-mock-server.js';
import { mockElsewhere, type RunningMock } from '../account-of-test/running-mock.js';
import type { SharedMockAddress } from './shared-mock-address.js';
import { createSocketFetch } from './socket-fetch.js';

/** Rejects if the mock no longer answers. */
export async function joinSharedMock({
  url,
  run,
  seed,
  controlToken,
  hasCoverageFile,
}: SharedMockAddress): Promise<RunningMock & { readonly fetch: Fetch }> {
  const fetch = createSocketFetch(url);
  await fetch(`${url}/__control/health`).catch((error: Error) => {
    const { message } = Object(error.cause ?? error) as Error;
    throw new Error(
      `The shared mock for this run, ${url}, does not answer (${message}). Run the tests again, or leave out the global set-up: each file or worker then starts its own mock.`,
      { cause: error },
    );
  });
  const worker = WORKER_VARIABLES.map((name) => process.env[name]).find(Boolean);
  const server = connectMockServer({ url, fetch, controlToken });
  return {
    ...mockElsewhere(server, [run, worker ?? String(process.pid)]),
    seed,
    fetch,
    // The mock writes its coverage file whenever it is asked for its coverage.
    stop: async () => void (hasCoverageFile && (await server.coverage())),
  };
}
