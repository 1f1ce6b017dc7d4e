import type { AccountControl } from '../accounts/account-control.js';
import type { JournalControl } from '../accounts/journal/journal-control.js';
import type { Remote, RemoteServer } from '../client/index.js';
import type { Fetch } from '../http/in-process-fetch.js';
import { createAccountNames, type TestPlace } from './account-names.js';
import { watchExpectations, withAwaitedVerbs } from './expectations.js';
import type { MockInUse } from './mock-in-use.js';
import { openMock, type TestMockOptions } from './open-mock.js';
import { storyOf } from './story.js';

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
export interface TestMock {
  /** The base URL for the client under test, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The bearer token of the running test: it opens an account that no other test sees. */
  readonly token: string;
  /** The account of the running test, to arrange and inspect; await every call. */
  readonly account: Remote<AccountControl>;
  /** The requests that the account of the running test received. */
  readonly journal: Remote<JournalControl>;
  /**
   * Answers as the mock does over its URL, for a client that accepts a `fetch`: in process, without a
   * socket, unless the mock is shared by all files.
   */
  readonly fetch: Fetch;
  /** The server, which other files use too if it is shared. */
  readonly server: RemoteServer;
  /** Another token, for a test that runs beside others of its file, or needs two accounts. */
  newToken(): string;
  /**
   * The requests that the account of the running test received; and since the test began, those that
   * reached no account, or one that no test was given. A test that fails shows it.
   */
  story(): Promise<string>;
}

/** The hooks of a test runner. */
export interface TestHooks {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  /** Runs before each test; the text given to it is shown when the test has failed. */
  readonly beforeEach: (
    hook: (showOnFailure: (text: () => Promise<string>) => void) => void,
  ) => void;
  readonly afterEach: (hook: () => Promise<void>) => void;
  /** Which test runs, as far as there is one. */
  readonly place: () => TestPlace;
}

/** Opens a mock before a file of tests, and gives every test a separate account. */
export function createTestMock(hooks: TestHooks, options: TestMockOptions = {}): TestMock {
  let mock: (MockInUse & { readonly newName: (place: TestPlace) => string }) | undefined;
  let test: { readonly token: string; readonly story: () => Promise<string> } | undefined;
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
  });
  hooks.beforeEach((showOnFailure) => {
    const token = newToken();
    const { server, seed, watchStrays } = running();
    const strays = watchStrays(tokens);
    const story = async () => `${await storyOf(server.account(token).journal)}${await strays()}`;
    test = { token, story };
    showOnFailure(async () => {
      const text = await story().catch(({ message }: Error) => `  unknown: ${message}`);
      return `usage-billing-mock (seed ${seed}): the account '${token}' received\n${text}`;
    });
  });
  hooks.afterEach(watchExpectations());

  function current(): NonNullable<typeof test> {
    if (test) return test;
    throw new Error('No test has begun: mock.token is that of the running test.');
  }

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
      return withAwaitedVerbs(running().server.account(current().token), 'mock.account');
    },
    get journal() {
      return withAwaitedVerbs(running().server.account(current().token).journal, 'mock.journal');
    },
    get server() {
      return running().server;
    },
  };
}
