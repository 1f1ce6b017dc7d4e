import { stripVTControlCharacters } from 'node:util';
import { shown } from '../../core/values/received-value.js';
import { elapsedMs } from '../../host/adapters/unfaked-time.js';
import { sign } from '../../host/server/node-platform.js';
import type { AccountControl, JournalControl } from '../../mock/accounts/account-interface.js';
import { labelOf } from '../../mock/accounts/account-name.js';
import type { Remote, RemoteServer } from '../../mock/client/connect-mock-server.js';
import { withAwaitedVerbs } from '../awaited-calls/must-be-awaited.js';
import { describePending, describeRequests } from './describe-requests.js';
import { type EndedTest, shownFile } from './end-of-test.js';
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
  /** The path of the test's file, and the whole title. */
  readonly file: string;
  readonly title: string;
}

/** Opens the account of a test. If the test fails, the kit shows `heading` and `story`. */
export function openTestAccount(
  { server, isShared, seed, watchStrays }: RunningMock,
  { id, token, tokens, variable, file, title }: BeginningTest,
) {
  const beganMs = elapsedMs();
  const account = server.account(token);
  const strays = watchStrays(tokens);
  const seedNote = seed === undefined ? '' : ` (seed ${seed})`;
  return {
    token,
    account: withAwaitedVerbs(account, `${variable}.account`, id),
    journal: withAwaitedVerbs(account.journal, `${variable}.journal`, id),
    story: async () =>
      `${await describeRequests(account.journal)}${await strays()}${await describePending(account)}`,
    heading: `usage-billing-mock${seedNote}: what the account '${labelOf(token, sign)}' received, latest request first`,
    async mark({ errors, title: whole = title }: EndedTest) {
      const hasPassed = errors.length === 0;
      if (hasPassed && !isShared) return;
      try {
        await account.markTest({
          outcome: hasPassed ? 'passed' : 'failed',
          file: shownFile(file).slice(-LONGEST_TITLE),
          title: whole.slice(0, LONGEST_TITLE) || 'test',
          durationMs: Math.round(elapsedMs() - beganMs),
          ...(!hasPassed && {
            message: errors.map(messageOf).join('\n\n').slice(0, MOST_CHARACTERS),
          }),
        });
      } catch {
        // An error here must not hide why the test has failed.
      }
    },
  };
}

/** The mock takes no longer titles and file names. */
const LONGEST_TITLE = 2_000;

/** The mock reads no more of a failure. */
const MOST_CHARACTERS = 20_000;

/** The message without colours. jest may report an error as the first of a pair. */
function messageOf(thrown: unknown): string {
  const [error] = [thrown].flat() as (Error | undefined)[];
  return stripVTControlCharacters(String(error?.message ?? shown(error)).slice(0, MOST_CHARACTERS));
}
