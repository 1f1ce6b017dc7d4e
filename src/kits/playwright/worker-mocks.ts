import { randomUUID } from 'node:crypto';
import { connectMockServer } from '../../client/index.js';
import { createAccountNames, type TestPlace } from '../account-of-test/account-names.js';
import type { MockInUse } from '../account-of-test/mock-in-use.js';
import { realTime } from '../account-of-test/real-time.js';
import { straysSince } from '../account-of-test/received-requests.js';
import { startOwnMock } from '../in-process/in-process-mock.js';
import { joinSharedMock } from '../shared-mock/join-shared-mock.js';
import { MANY_ACCOUNTS } from '../shared-mock/many-accounts.js';
import { sharedMockAddress } from '../shared-mock/shared-mock-address.js';
import type { BillingOptions } from './billing-options.js';
import { type ProxyOption, type RefusingProxy, startRefusingProxy } from './refusing-proxy.js';

/** A mock as the tests of one worker use it. */
export interface MockOfWorker extends Omit<MockInUse, 'seed' | 'fetch' | 'accountsBelow'> {
  /** Unknown for a mock that others have started. */
  readonly seed?: number;
  /** Whether it outlives the run, so that accounts are to be closed. */
  readonly outlivesRun: boolean;
  newName(place: TestPlace): string;
}

/** The mocks that the tests of one worker have asked for, each opened once. */
export interface MocksOfWorker {
  open(options: BillingOptions): Promise<MockOfWorker>;
  /** The proxy that refuses what would leave the mock, the app and the base URL. */
  refuseOthers(options: BillingOptions, baseURL: string | undefined): Promise<ProxyOption>;
  stop(): Promise<void>;
}

/** Opens the mock of the run, one of the worker's own, or one that runs already. */
export function createMocksOfWorker(workerIndex: number): MocksOfWorker {
  const opened = new Map<string, Promise<MockOfWorker>>();
  let proxy: Promise<RefusingProxy> | undefined;

  function open({ url, controlToken }: BillingOptions): Promise<MockOfWorker> {
    const key = JSON.stringify([url, controlToken]);
    const mock =
      opened.get(key) ??
      (url === undefined
        ? openMockOfRun()
        : connect({ url, controlToken }, [`run-${randomUUID().slice(0, 8)}`, `${workerIndex}`]));
    opened.set(key, mock);
    return mock;
  }

  return {
    open,
    async refuseOthers(options, baseURL) {
      const { url } = await open(options);
      proxy ??= startRefusingProxy();
      const allowed = [url, options.app, baseURL].filter((one) => one !== undefined);
      return (await proxy).except(allowed);
    },
    async stop() {
      (await proxy)?.stop();
      const mocks = await Promise.allSettled(opened.values());
      for (const mock of mocks) if (mock.status === 'fulfilled') await mock.value.stop();
    },
  };
}

async function openMockOfRun(): Promise<MockOfWorker> {
  const address = sharedMockAddress();
  const mock = address
    ? await joinSharedMock(address)
    : await startOwnMock({ maxAccounts: MANY_ACCOUNTS });
  return { ...mock, outlivesRun: false, newName: createAccountNames(mock.accountsBelow) };
}

async function connect(
  options: { readonly url: string; readonly controlToken: string | undefined },
  accountsBelow: readonly string[],
): Promise<MockOfWorker> {
  const server = connectMockServer(options);
  await server.journal.count();
  return {
    url: server.url,
    server,
    outlivesRun: true,
    newName: createAccountNames(accountsBelow),
    watchStrays() {
      const since = realTime();
      return () => straysSince(server, since);
    },
    stop: async () => undefined,
  };
}
