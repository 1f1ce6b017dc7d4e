import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { beginRun } from '../../host/server/run-environment.js';
import { connectMockServer } from '../../mock/client/connect-mock-server.js';
import { createRunName, MANY_ACCOUNTS } from '../account-of-test/test-tokens.js';
import { announceSharedMock, type TestProject } from './shared-mock-address.js';
import type { SharedMockStart } from './shared-mock-process.js';
import { createSocketFetch } from './socket-fetch.js';

/**
 * The options of a shared mock: server options, except `control`, which must stay on, and `routes`,
 * because a function cannot be sent to the mock's process.
 *
 * @example
 * import { createGlobalSetup, type SharedMockOptions } from 'usage-billing-mock/jest/global-setup';
 *
 * const options: SharedMockOptions = { dataset: 'edge-cases' };
 * export default createGlobalSetup(options);
 */
export type SharedMockOptions = Omit<MockServerOptions, 'routes' | 'control'>;

/** One mock for all test files, in a process of its own. */
export interface SharedMock {
  /**
   * Begins a run: starts the mock if it is not running, closes the accounts of the previous run,
   * and tells the test files, or those of a project, where the mock is.
   */
  begin(project?: TestProject): Promise<void>;
  end(): void;
}

type Serving = Awaited<ReturnType<typeof serve>>;

/**
 * Creates the shared mock of a runner, which all runs of its watch mode use. `takesFunctions` says
 * in an error what accepts an option that is a function.
 */
export function createSharedMock(
  options: SharedMockOptions = {},
  takesFunctions = 'useMockServer in the files that need it: they get',
): SharedMock {
  refuseFunctions(options, takesFunctions);
  let serving: Serving | undefined;
  let run = '';
  return {
    async begin(project) {
      const next = createRunName();
      beginRun(next);
      if (!(serving && (await hasClosedAccounts(serving, run)))) {
        serving?.process.kill();
        serving = await serve({ maxAccounts: MANY_ACCOUNTS, ...options });
      }
      run = next;
      announceSharedMock({ ...serving.address, run }, project);
    },
    end() {
      serving?.process.disconnect();
      serving = undefined;
    },
  };
}

/** Closes the accounts of a run; false if that fails, as when the mock's process has ended. */
async function hasClosedAccounts(
  { address: { url, controlToken } }: Serving,
  run: string,
): Promise<boolean> {
  try {
    const server = connectMockServer({ url, controlToken, fetch: createSocketFetch(url) });
    await server.closeAccounts({ prefix: `${run}/` });
    return true;
  } catch {
    return false;
  }
}

/** Starts the mock's process, which does not keep this one from exiting. */
async function serve(options: SharedMockOptions) {
  const path = fileURLToPath(new URL('serve-shared-mock.cjs', import.meta.url));
  const child = fork(path, [], {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: withoutInspector(process.env.NODE_OPTIONS) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const start = await new Promise<SharedMockStart>((resolve) => {
    child.once('message', (message) => resolve(message as SharedMockStart));
    child.once('error', (error) => resolve({ error: error.message }));
    child.once('exit', (code, signal) =>
      resolve({
        error: `Its process ended before it was ready (${signal ?? `exit code ${code}`}).`,
      }),
    );
    child.send(options);
  });
  child.unref();
  child.channel?.unref();
  if (!('error' in start)) return { process: child, address: start };
  child.kill();
  throw new Error(`The shared mock did not start: ${start.error}`);
}

/** Two processes cannot share one debugging port. */
function withoutInspector(nodeOptions = ''): string {
  return nodeOptions.replace(/(^|\s)--inspect\S*/g, '');
}

function refuseFunctions(options: object, takesFunctions: string): void {
  const name = Object.entries(options).find(([, value]) => typeof value === 'function')?.[0];
  if (name !== undefined) {
    throw new TypeError(
      `The option '${name}' is a function, which cannot be sent to the shared mock's process. Give it to ${takesFunctions} a mock of their own.`,
    );
  }
  if ('control' in options && options.control === false) {
    throw new TypeError(
      "The option 'control' is false; expected true: test files use the control plane.",
    );
  }
}
