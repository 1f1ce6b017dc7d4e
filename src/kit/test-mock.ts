import type { AccountControl } from '../accounts/account-control.js';
import type { JournalControl } from '../accounts/journal/journal.js';
import type { Fetch } from '../http/in-process-fetch.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { createMockServer } from '../server/mock-server.js';
import type { MockServer } from '../server/mock-server-interface.js';
import { storyOf, watchStrays } from './story.js';

/**
 * The mock as one test sees it: a server for the whole file, and a separate account for each test.
 *
 * @example
 * const mock = useMockServer();
 * test('a contract is deleted once', async () => {
 *   const client = new BillingClient(mock.url, mock.token);
 *   await client.deleteContract('65b000000000000000000001');
 *   expect(mock).toHaveReceived('deleteContract', { contractId: '65b000000000000000000001' });
 * });
 */
export interface TestMock {
  /** The base URL for the client under test, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The bearer token of the running test: it opens an account that no other test sees. */
  readonly token: string;
  /** The account of the running test, to arrange and inspect. */
  readonly account: AccountControl;
  /** The requests that the account of the running test received. */
  readonly journal: JournalControl;
  /** Answers in process, without a socket, for a client that accepts a `fetch`. */
  readonly fetch: Fetch;
  /** The server of the file. */
  readonly server: MockServer;
  /** Another token, for a test that runs beside others of its file, or needs two accounts. */
  newToken(): string;
  /**
   * The requests that the account of the running test received; and since the test began, those that
   * reached no account, or one that no test was given. A test that fails shows it.
   */
  story(): string;
}

/** The hooks of a test runner. */
export interface TestHooks {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  /** Runs before each test; the text given to it is shown when the test has failed. */
  readonly beforeEach: (hook: (showOnFailure: (text: () => string) => void) => void) => void;
}

/** Starts a mock once for a file of tests, and gives every test a separate account. */
export function createTestMock(hooks: TestHooks, options: MockServerOptions = {}): TestMock {
  let server: MockServer | undefined;
  let test: { readonly token: string; readonly story: () => string } | undefined;
  const tokens = new Set<string>();

  function running(): MockServer {
    if (server) return server;
    throw new Error(
      'The mock has not started: it does so before the first test of its file. Use it within a test or a hook, and call useMockServer() outside of them.',
    );
  }

  function newToken(): string {
    const token = `test-${tokens.size + 1}`;
    tokens.add(token);
    return token;
  }

  hooks.beforeAll(async () => {
    const created = await createMockServer(options);
    await created.start();
    server = created;
  });
  hooks.afterAll(async () => {
    await server?.stop();
  });
  hooks.beforeEach((showOnFailure) => {
    const token = newToken();
    const strays = watchStrays(running(), tokens);
    const story = () => `${storyOf(running().account(token).journal)}${strays()}`;
    test = { token, story };
    showOnFailure(() => {
      const { seed } = running().dataset;
      return `usage-billing-mock (seed ${seed}): the account '${token}' received\n${story()}`;
    });
  });

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
      return running().account(current().token);
    },
    get journal() {
      return running().account(current().token).journal;
    },
    get server() {
      return running();
    },
  };
}
