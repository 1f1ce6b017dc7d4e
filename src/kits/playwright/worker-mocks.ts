import { runName } from '../../host/server/run-environment.js';
import { connectMockServer } from '../../mock/client/connect-mock-server.js';
import { mockElsewhere, type RunningMock } from '../account-of-test/running-mock.js';
import { MANY_ACCOUNTS, nameOfRun } from '../account-of-test/test-tokens.js';
import { startInProcess } from '../in-process/in-process-mock.js';
import type { BillingOptions } from './billing-options.js';
import { startRefusingProxy } from './refusing-proxy.js';

export type WorkerMocks = ReturnType<typeof createWorkerMocks>;

/** Opens the mocks that the tests of a worker ask for, each only once. */
export function createWorkerMocks(workerIndex: number) {
  const opened = new Map<unknown, Promise<RunningMock>>();
  let proxy: ReturnType<typeof startRefusingProxy> | undefined;

  function open(options: BillingOptions): Promise<RunningMock> {
    const key = options.server ?? JSON.stringify([options.url, options.controlToken]);
    const mock = opened.get(key) ?? openMock(options, workerIndex);
    opened.set(key, mock);
    return mock;
  }

  return {
    open,
    /** The value for Playwright's `proxy`. */
    async refuseOthers(options: BillingOptions, baseURL: string | undefined) {
      const { url } = await open(options);
      proxy ??= startRefusingProxy();
      const allowed = [url, options.app, baseURL].filter((one) => one !== undefined);
      return (await proxy).except(allowed);
    },
    async stop(): Promise<void> {
      (await proxy)?.stop();
      const mocks = await Promise.allSettled(opened.values());
      for (const mock of mocks) if (mock.status === 'fulfilled') await mock.value.stop();
    },
  };
}

async function openMock(
  { url, controlToken, server: own }: BillingOptions,
  workerIndex: number,
): Promise<RunningMock> {
  if (url === undefined) return startInProcess({ maxAccounts: MANY_ACCOUNTS, ...own });
  const server = connectMockServer({ url, controlToken });
  await server.journal.count();
  return mockElsewhere(server, [nameOfRun(runName()), `${workerIndex}`]);
}
