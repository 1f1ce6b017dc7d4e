import type { RemoteServer } from '../../client/connect-mock-server.js';
import { createAccountNames, type TestPlace } from './account-names.js';
import { watchSharedStrays } from './received-requests.js';

/** A mock that tests use, whichever process it runs in. */
export interface RunningMock {
  readonly url: string;
  readonly server: RemoteServer;
  /** The dataset's seed, if known, which generates the same records again. */
  readonly seed?: number;
  /** Creates the token of an account that is named for its test. */
  newToken(place: TestPlace): string;
  /**
   * From now on, what the accounts given to tests miss: a wrong path or token reaches no account, or
   * another. Empty if there is nothing.
   */
  watchStrays(given: ReadonlySet<string>): () => Promise<string>;
  stop(): Promise<void>;
}

/** A mock of another process, which stops without its tests; the names of their accounts begin so. */
export function mockElsewhere(server: RemoteServer, accountsBelow: readonly string[]): RunningMock {
  return {
    url: server.url,
    server,
    newToken: createAccountNames(accountsBelow),
    watchStrays: () => watchSharedStrays(server),
    stop: async () => undefined,
  };
}
