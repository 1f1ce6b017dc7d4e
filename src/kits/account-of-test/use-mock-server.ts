import type { Fetch } from '../../host/adapters/fetch.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { beginTest, endFile } from '../awaited-calls/report-unawaited-calls.js';
import { startInProcess } from '../in-process/in-process-mock.js';
import type { EndOfTest } from './end-of-test.js';
import type { RunningMock } from './running-mock.js';
import { openTestAccount, type TestAccount } from './test-account.js';
import type { TestPlace } from './test-tokens.js';

/**
 * The mock as one test sees it: one server for all tests of a file, and a separate account for each.
 *
 * @example
 * const mock = useMockServer();
 * test('a contract is deleted once', async () => {
 *   const client = new BillingClient(mock.url, mock.token);
 *   await client.deleteContract('65b000000000000000000001');
 *   await expect(mock).toHaveReceived('deleteContract', { contractId: '65b000000000000000000001' });
 * });
 */
export interface TestMock extends TestAccount {
  /** Calls the mock in process, without a socket, for a client that accepts a `fetch`. */
  readonly fetch: Fetch;
}

interface BegunTest {
  /** The task's id in vitest, the full name in jest. */
  readonly id: unknown;
  readonly isConcurrent: boolean;
  /** The runner shows the story of a failed test, and marks each unless it will be tried again. */
  atEnd(end: EndOfTest): void;
}

/** What a kit needs from its test runner. */
interface TestHooks {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  /** Calls `begin` before each test, and the function that it returns after the test. */
  readonly eachTest: (begin: (test: BegunTest) => () => Promise<void>) => void;
  /** The file, and the test if one is running. */
  readonly place: () => TestPlace;
  /** The id of the test that is calling, if the runner knows it. */
  readonly caller: () => unknown;
}

/** Opens a mock before the tests of a file, and an account before each test. */
export function createTestMock(hooks: TestHooks, options: MockServerOptions = {}): TestMock {
  let mock: (RunningMock & { readonly fetch: Fetch }) | undefined;
  const tests = createRunningTests();
  const tokens = new Set<string>();

  function running(): NonNullable<typeof mock> {
    if (mock) return mock;
    throw new Error(
      'The mock has not started yet: it starts before the first test in its file. Use the mock inside a test or hook, and call useMockServer() outside both.',
    );
  }

  function newToken(): string {
    const token = running().newToken(hooks.place());
    tokens.add(token);
    return token;
  }

  hooks.beforeAll(async () => {
    mock = await startInProcess(options);
  });
  hooks.afterAll(async () => {
    await mock?.stop();
    endFile();
  });
  hooks.eachTest(({ id, isConcurrent, atEnd }) => {
    const { file = '', test: title = '' } = hooks.place();
    const opened = openTestAccount(running(), {
      ...{ id, token: newToken(), tokens, variable: 'mock', file, title },
    });
    atEnd({
      async story() {
        const story = opened.story().catch(({ message }: Error) => `  unknown: ${message}`);
        return `${opened.heading}\n${await story}`;
      },
      mark: opened.mark,
    });
    const failIfUnawaited = beginTest(id);
    const end = tests.begin({ ...opened, id }, isConcurrent);
    return async () => {
      end();
      await failIfUnawaited();
    };
  });

  const current = () => tests.current(hooks.caller());

  return {
    newToken,
    story: () => current().story(),
    fetch: (input, init) => running().fetch(input, init),
    get url() {
      return running().url;
    },
    get token() {
      return current().token;
    },
    get account() {
      return current().account;
    },
    get journal() {
      return current().journal;
    },
    get server() {
      return running().server;
    },
  };
}

type TestWithAccount = Pick<BegunTest, 'id'> & ReturnType<typeof openTestAccount>;

/** Tracks which test of a file is running, as long as only one is. */
function createRunningTests() {
  const running = new Set<TestWithAccount>();
  const beside = new WeakSet<TestWithAccount>();
  let latest: TestWithAccount | undefined;

  return {
    begin(test: TestWithAccount, isConcurrent: boolean): () => void {
      running.add(test);
      if (isConcurrent || running.size > 1) for (const each of running) beside.add(each);
      latest = test;
      return () => running.delete(test);
    },
    /**
     * The only running test, or between tests the last one. Throws if none has begun, or if another
     * could be calling.
     */
    current(caller: unknown): TestWithAccount {
      if (latest && beside.has(latest)) {
        throw new Error(`Another test in this file may run at the same time. ${ADVICE}`);
      }
      if (caller !== undefined && caller !== latest?.id) {
        throw new Error(
          `The hook of useMockServer() has not run for this test. Call useMockServer() above your own hooks; jest runs none for test.concurrent. ${ADVICE}`,
        );
      }
      if (latest) return latest;
      throw new Error('No test is running, so the mock has no token, account or journal.');
    },
  };
}

const ADVICE =
  'Give each concurrent test its own account: const token = mock.newToken(), and mock.server.account(token).';
