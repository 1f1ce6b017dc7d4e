import type { AccountControl, JournalControl } from '#spec';
import type { Fetch } from '../../host/adapters/fetch.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import type { MockServer } from '../../host/server/mock-interface.js';
import { serverForTests, startInProcess } from '../in-process/start-in-process.js';
import { describeEvidence, evidenceOf, headingOf, watchStrays } from './describe-requests.js';
import { createTestTokens, type TestPlace } from './test-tokens.js';

/**
 * The mock as one test sees it: one server for all tests of a file, and a separate account for each.
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
  /** The bearer token of the running test. It opens an account that no other test uses. */
  readonly token: string;
  /** The account of the running test, to arrange and inspect. */
  readonly account: AccountControl;
  /** The requests that the account of the running test received. */
  readonly journal: JournalControl;
  /** The server, which the other tests of the file use too. */
  readonly server: MockServer;
  /** Calls the mock in process, without a socket, for a client that accepts a `fetch`. */
  readonly fetch: Fetch;
  /** Creates another token, for a test that runs concurrently with others or needs two accounts. */
  newToken(): string;
  /**
   * Returns the text that a failing test shows: the requests that its account received, latest
   * first; requests since it began that reached no account, or an account that belongs to no test;
   * faults that have yet to fire, and stubs that were not called.
   */
  story(): string;
}

/** A test that has begun. */
interface BegunTest {
  /** What the test shows if it fails. */
  story(): string;
  end(): void;
}

/** What a kit knows of a test that begins. */
interface BeginningTest {
  /** The task's id in vitest, and the full name in jest. */
  readonly id: unknown;
  readonly isConcurrent: boolean;
  /** Whether it has ended, with everything of its own that runs after it, if the runner tells. */
  readonly isOver?: () => boolean;
}

/** What a kit needs from its test runner. */
interface TestHooks {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  /** Calls `begin` before each test. */
  readonly eachTest: (begin: (test: BeginningTest) => BegunTest) => void;
  /** The file, and the test if one is running. */
  readonly place: () => TestPlace;
  /** The id of the test that is calling, if the runner knows it. */
  readonly caller: () => unknown;
}

/** Opens a mock before the tests of a file, and an account before each test. */
export function createTestMock(hooks: TestHooks, options: MockServerOptions = {}): TestMock {
  let mock: { readonly library: MockServer; readonly server: MockServer } | undefined;
  const tests = createRunningTests();
  const tokens = new Set<string>();
  const tokenFor = createTestTokens([]);

  function running(): NonNullable<typeof mock> {
    if (mock) return mock;
    throw new Error(
      'The mock has not started yet: it starts before the first test in its file. Use the mock inside a test or hook, and call useMockServer() outside both.',
    );
  }

  function newToken(): string {
    running();
    const token = tokenFor(hooks.place());
    tokens.add(token);
    return token;
  }

  hooks.beforeAll(async () => {
    const library = await startInProcess(options);
    mock = { library, server: serverForTests(library) };
  });
  hooks.afterAll(async () => {
    tests.endAll();
    await mock?.library.stop();
  });
  hooks.eachTest((test) => {
    const { library } = running();
    const token = newToken();
    const strays = watchStrays(library, tokens);
    const story = () => describeEvidence(evidenceOf(library.account(token)), strays());
    const end = tests.begin({ ...test, token, story });
    return {
      end,
      story: () => `${headingOf(token, library.url, library.dataset.seed)}\n${toldOrWhyNot(story)}`,
    };
  });

  const current = () => tests.current(hooks.caller());

  return {
    newToken,
    story: () => current().story(),
    fetch: (input, init) => running().server.fetch(input, init),
    get url() {
      return running().server.url;
    },
    get token() {
      return current().token;
    },
    get account() {
      return running().server.account(current().token);
    },
    get journal() {
      return this.account.journal;
    },
    get server() {
      return running().server;
    },
  };
}

/** An error here must not hide why the test has failed. */
function toldOrWhyNot(story: () => string): string {
  try {
    return story();
  } catch (error) {
    return `  unknown: ${(error as Error).message}`;
  }
}

type RunningTest = BeginningTest & Pick<TestMock, 'token' | 'story'>;

/** Tracks which test of a file is running, as long as only one is. */
function createRunningTests() {
  const running = new Set<RunningTest>();
  const beside = new WeakSet<RunningTest>();
  let latest: RunningTest | undefined;
  let hasEnded = false;

  return {
    begin(test: RunningTest): () => void {
      running.add(test);
      if (test.isConcurrent || running.size > 1) for (const each of running) beside.add(each);
      latest = test;
      return () => running.delete(test);
    },
    endAll(): void {
      hasEnded = true;
    },
    /**
     * The only running test; between tests, the last one if the runner does not tell that it is over.
     * Throws if none has begun, if all have ended, or if another could be calling.
     */
    current(caller: unknown): RunningTest {
      if (hasEnded || latest?.isOver?.()) throw new Error(NO_TEST);
      if (latest && beside.has(latest)) {
        throw new Error(`Another test in this file may run at the same time. ${ADVICE}`);
      }
      if (caller !== undefined && caller !== latest?.id) {
        throw new Error(
          `The hook of useMockServer() has not run for this test. Call useMockServer() above your own hooks; jest runs none for test.concurrent. ${ADVICE}`,
        );
      }
      if (latest) return latest;
      throw new Error(NO_TEST);
    },
  };
}

const NO_TEST = 'No test is running, so the mock has no token, account or journal.';

const ADVICE =
  'Give each concurrent test its own account: const token = mock.newToken(), and mock.server.account(token).';
