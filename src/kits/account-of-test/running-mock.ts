import type { RemoteServer } from '../../mock/client/connect-mock-server.js';
import { watchSharedStrays } from './describe-requests.js';
import { createTestTokens, type TestPlace } from './test-tokens.js';

/** A mock that tests use, in this process or another. */
export interface RunningMock {
  readonly url: string;
  readonly server: RemoteServer;
  /** Whether it outlives the tests of a file, so that somebody may look at what became of them. */
  readonly isShared: boolean;
  /** The seed of the dataset, if known: it generates the same records again. */
  readonly seed?: number;
  newToken(place: TestPlace): string;
  /**
   * From now on, watches for requests that reach no account or, if the mock runs in this process,
   * an account whose token is not among those given. The returned function describes them; it
   * resolves to an empty text if there are none.
   */
  watchStrays(given: ReadonlySet<string>): () => Promise<string>;
  stop(): Promise<void>;
}

/** A mock that `stop` leaves running. The tokens of the tests begin with `accountsBelow`. */
export function mockElsewhere(server: RemoteServer, accountsBelow: readonly string[]): RunningMock {
  return {
    url: server.url,
    server,
    isShared: true,
    newToken: createTestTokens(accountsBelow),
    watchStrays: () => watchSharedStrays(server),
    stop: async () => undefined,
  };
}
