import type { AccountControl } from '../../accounts/account-control.js';
import type { JournalControl } from '../../accounts/journal/journal-control.js';
import type { Remote, RemoteServer } from '../../client/index.js';

/** What the kits of all runners give to a test. */
export interface MockOfTest {
  /** The base URL for the client under test, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The bearer token of the running test: it opens an account that no other test sees. */
  readonly token: string;
  /** The account of the running test, to arrange and inspect; await every call. */
  readonly account: Remote<AccountControl>;
  /** The requests that the account of the running test received. */
  readonly journal: Remote<JournalControl>;
  /** The server, which other tests use too. */
  readonly server: RemoteServer;
  /** Another token, for a test that runs beside others of its file, or needs two accounts. */
  newToken(): string;
  /**
   * The requests that the account of the running test received; and since the test began, those that
   * reached no account, or one that no test was given. A test that fails shows it.
   */
  story(): Promise<string>;
}
