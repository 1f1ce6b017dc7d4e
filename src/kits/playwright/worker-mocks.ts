import { randomUUID } from 'node:crypto';
import { connectMockServer } from '../../client/connect-mock-server.js';
import { MANY_ACCOUNTS } from '../account-of-test/account-names.js';
import { mockElsewhere, type RunningMock } from '../account-of-test/running-mock.js';
import { startInProcess } from '../in-process/in-process-mock.js';
import { joinSharedMock } from '../shared-mock/join-shared-mock.js';
import { sharedMockAddress } from '../shared-mock/shared-mock-address.js';
import type { BillingOptions } from './billing-options.js';
import { type ProxyOption, type RefusingProxy, startRefusingProxy } from './refusing-proxy.js';

/** The mocks that the tests of one worker have asked for, each opened once. */
export interface WorkerMocks {
  open(options: BillingOptions): Promise<RunningMock>;
  /** The proxy that refuses what would leave the mock, the app and the base URL. */
  refuseOthers(options: BillingOptions, baseURL: string | undefined): Promise<ProxyOption>;
  stop(): Promise<void>;
}

/** Opens the mock of the run, one of the worker's own, or one that runs already. */
export function createWorkerMocks(workerIndex: number): WorkerMocks {
  const opened = new Map<string, Promise<RunningMock>>();
  let proxy: Promise<RefusingProxy> | undefined;

  function open(options: BillingOptions): Promise<RunningMock> {
    const key = JSON.stringify([options.url, options.controlToken]);
    const mock = opened.get(key) ?? openMock(options, workerIndex);
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

async function openMock(
  { url, controlToken }: BillingOptions,
  workerIndex: number,
): Promise<RunningMock> {
  const address = sharedMockAddress();
  if (url === undefined) {
    return address ? joinSharedMock(address) : startInProcess({ maxAccounts: MANY_ACCOUNTS });
  }
  const server = connectMockServer({ url, controlToken });
  await server.journal.count();
  return mockElsewhere(server, [`run-${randomUUID().slice(0, 8)}`, `${workerIndex}`]);
}
