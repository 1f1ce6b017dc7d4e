import { stripVTControlCharacters } from 'node:util';
import type { AccountControl, JournalControl } from '../../accounts/account-interface.js';
import { labelOf } from '../../accounts/account-name.js';
import type { Remote, RemoteServer } from '../../client/connect-mock-server.js';
import { sign } from '../../server/node-platform.js';
import { shown } from '../../values/received-value.js';
import { withAwaitedVerbs } from '../awaited-calls/must-be-awaited.js';
import { describePending, describeRequests } from './describe-requests.js';
import type { RunningMock } from './running-mock.js';

/** What the kit of every runner gives to a test. */
export interface TestAccount {
  /** The base URL for the client under test, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The bearer token of the running test. It opens an account that no other test uses. */
  readonly token: string;
  /** The account of the running test, to arrange and inspect; await every call. */
  readonly account: Remote<AccountControl>;
  /** The requests that the account of the running test received. */
  readonly journal: Remote<JournalControl>;
  /** The server, which other tests use too. */
  readonly server: RemoteServer;
  /** Creates another token, for a test that runs concurrently with others or needs two accounts. */
  newToken(): string;
  /**
   * Returns the text that a failing test shows: the requests that its account received, latest
   * first; requests since it began that reached no account or, if the mock runs in the test's
   * process, an account that belongs to no test; faults that have yet to fire, and stubs that were
   * not called.
   */
  story(): Promise<string>;
}

interface BeginningTest {
  readonly id: unknown;
  readonly token: string;
  /** All tokens of the test's file or, in Playwright, of the test. */
  readonly tokens: ReadonlySet<string>;
  /** What the test calls its mock, for messages. */
  readonly variable: 'mock' | 'billing';
}

/** Opens the account of a test. If the test fails, the kit shows `title` and `story`. */
export function openTestAccount(
  { server, seed, watchStrays }: RunningMock,
  { id, token, tokens, variable }: BeginningTest,
) {
  const account = server.account(token);
  const strays = watchStrays(tokens);
  const seedNote = seed === undefined ? '' : ` (seed ${seed})`;
  return {
    token,
    account: withAwaitedVerbs(account, `${variable}.account`, id),
    journal: withAwaitedVerbs(account.journal, `${variable}.journal`, id),
    story: async () =>
      `${await describeRequests(account.journal)}${await strays()}${await describePending(account)}`,
    title: `usage-billing-mock${seedNote}: what the account '${labelOf(token, sign)}' received, latest request first`,
    async markFailed(errors: readonly unknown[]) {
      try {
        const text = errors.map(messageOf).join('\n\n').slice(0, MOST_CHARACTERS);
        if (errors.length > 0) await account.markFailed(text);
      } catch {
        // An error here must not hide why the test has failed.
      }
    },
  };
}

/** The mock reads no more of a failure. */
const MOST_CHARACTERS = 20_000;

/** The message without colours. jest may report an error as the first of a pair. */
function messageOf(thrown: unknown): string {
  const [error] = [thrown].flat() as (Error | undefined)[];
  return stripVTControlCharacters(String(error?.message ?? shown(error)).slice(0, MOST_CHARACTERS));
}
