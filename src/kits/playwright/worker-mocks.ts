import { type ConnectOptions, connectMockServer, type RemoteServer } from '#spec';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { runName } from '../../host/server/process/run-environment.js';
import { describeBelow, watchStrays } from '../account-of-test/describe-requests.js';
import {
  createTestTokens,
  MANY_ACCOUNTS,
  nameOfRun,
  type TestPlace,
} from '../account-of-test/test-tokens.js';
import { startInProcess } from '../in-process/start-in-process.js';
import type { BillingOptions } from './billing-options.js';

/** A mock that tests of a worker use, in its process or another. */
export interface WorkerMock {
  readonly server: RemoteServer;
  /** The seed of the dataset, if known: it generates the same records again. */
  readonly seed?: number;
  newToken(place: TestPlace): string;
  /**
   * From now on, watches for requests that reach no account or, if the mock runs in this process,
   * an account whose token is not among those given. The returned function describes them.
   */
  watchStrays(given: ReadonlySet<string>): () => Promise<string>;
  stop(): Promise<void>;
}

export type WorkerMocks = ReturnType<typeof createWorkerMocks>;

/** Opens the mocks that the tests of a worker ask for, each only once. */
export function createWorkerMocks(workerIndex: number) {
  const opened = new Map<unknown, Promise<WorkerMock>>();

  function open({ url, controlToken, server }: BillingOptions): Promise<WorkerMock> {
    const key = server ?? JSON.stringify([url, controlToken]);
    const mock =
      opened.get(key) ??
      (url === undefined
        ? startOwn({ maxAccounts: MANY_ACCOUNTS, ...server })
        : connect({ url, controlToken }, workerIndex));
    opened.set(key, mock);
    return mock;
  }

  return {
    open,
    async stop(): Promise<void> {
      const mocks = await Promise.allSettled(opened.values());
      for (const mock of mocks) if (mock.status === 'fulfilled') await mock.value.stop();
    },
  };
}

async function startOwn(options: MockServerOptions): Promise<WorkerMock> {
  const library = await startInProcess(options);
  const { url, fetch, controlToken, dataset } = library;
  return {
    server: connectMockServer({ url, fetch, controlToken }),
    seed: dataset.seed,
    newToken: createTestTokens([]),
    watchStrays(given) {
      const strays = watchStrays(library, given);
      return async () => strays();
    },
    stop: () => library.stop(),
  };
}

async function connect(options: ConnectOptions, workerIndex: number): Promise<WorkerMock> {
  const server = connectMockServer(options);
  await server.journal.count();
  return {
    server,
    newToken: createTestTokens([nameOfRun(runName()), `${workerIndex}`]),
    watchStrays() {
      const since = new Date().toISOString();
      const title = 'Requests that reached no account meanwhile, perhaps from another worker';
      return async () => describeBelow(title, await server.journal.list({ since }));
    },
    stop: async () => undefined,
  };
}
