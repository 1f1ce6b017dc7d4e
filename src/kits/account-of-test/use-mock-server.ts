import type { Fetch } from '../../http/fetch.js';
import { beginTest, endFile } from '../awaited-calls/forgotten-calls.js';
import { withAwaitedVerbs } from '../awaited-calls/must-be-awaited.js';
import { createAccountNames, type TestPlace } from './account-names.js';
import type { MockInUse } from './mock-in-use.js';
import { openMock, type TestMockOptions } from './open-mock.js';
import { storyOf } from './received-requests.js';
import { createRunningTests } from './running-tests.js';
import type { MockOfTest } from './test-account.js';

/**
 * The mock as one test sees it: one server for all tests, and a separate account for each.
 *
 * @example
 * const mock = useMockServer();
 * test('a contract is deleted once', async () => {
 *   const client = new BillingClient(mock.url, mock.token);
 *   await client.deleteContract('65b000000000000000000001');
 *   await expect(mock).toHaveReceived('deleteContract', { contractId: '65b000000000000000000001' });
 * });
 */
export interface TestMock extends MockOfTest {
  /**
   * Answers as the mock does over its URL, for a client that accepts a `fetch`: in process, without a
   * socket, unless the mock is shared by all files.
   */
  readonly fetch: Fetch;
}

/** A test as its runner begins it. */
interface BegunTest {
  /** What identifies it among the tests of its file. */
  readonly id: unknown;
  /** True if others may run at the same time. */
  readonly isConcurrent: boolean;
  /** Shows the text if the test fails. */
  showOnFailure(text: () => Promise<string>): void;
}

/** The hooks of a test runner. */
export interface TestHooks {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  /** Calls `begin` before each test, and what that returns after it. */
  readonly eachTest: (begin: (test: BegunTest) => () => Promise<void>) => void;
  /** Which test runs, as far as there is one. */
  readonly place: () => TestPlace;
  /** The id of the test that calls, if the runner knows it. */
  readonly caller: () => unknown;
}

/** Opens a mock before a file of tests, and gives every test a separate account. */
export function createTestMock(hooks: TestHooks, options: TestMockOptions = {}): TestMock {
  let mock: (MockInUse & { readonly newName: (place: TestPlace) => string }) | undefined;
  const tests = createRunningTests<{ readonly token: string; story(): Promise<string> }>();
  const tokens = new Set<string>();

  function running(): NonNullable<typeof mock> {
    if (mock) return mock;
    throw new Error(
      'The mock has not started: it does so before the first test of its file. Use it within a test or a hook, and call useMockServer() outside of them.',
    );
  }

  function newToken(): string {
    const token = running().newName(hooks.place());
    tokens.add(token);
    return token;
  }

  hooks.beforeAll(async () => {
    const opened = await openMock(options, hooks.place().file);
    mock = { ...opened, newName: createAccountNames(opened.accountsBelow) };
  });
  hooks.afterAll(async () => {
    await mock?.stop();
    endFile();
  });
  hooks.eachTest(({ id, isConcurrent, showOnFailure }) => {
    const token = newToken();
    const { server, seed, watchStrays } = running();
    const strays = watchStrays(tokens);
    const story = async () => `${await storyOf(server.account(token).journal)}${await strays()}`;
    showOnFailure(async () => {
      const text = await story().catch(({ message }: Error) => `  unknown: ${message}`);
      return `usage-billing-mock (seed ${seed}): the account '${token}' received\n${text}`;
    });
    const failIfForgotten = beginTest(id);
    const end = tests.begin({ id, isConcurrent, token, story });
    return async () => {
      end();
      await failIfForgotten();
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
      const { id, token } = current();
      return withAwaitedVerbs(running().server.account(token), 'mock.account', id);
    },
    get journal() {
      const { id, token } = current();
      return withAwaitedVerbs(running().server.account(token).journal, 'mock.journal', id);
    },
    get server() {
      return running().server;
    },
  };
}
