import type { RemoteServer } from '../../client/index.js';
import type { Fetch } from '../../http/fetch.js';

/** The mock that a file of tests uses: its own, or the one of all files. */
export interface MockInUse {
  readonly url: string;
  readonly fetch: Fetch;
  readonly server: RemoteServer;
  /** The seed of its dataset, by which the same records are generated again. */
  readonly seed: number;
  /** What the names of its accounts begin with. */
  readonly accountsBelow: readonly string[];
  /**
   * From now on, what the accounts given to tests miss: a wrong path or token reaches no account, or
   * another. Empty if there is nothing.
   */
  watchStrays(given: ReadonlySet<string>): () => Promise<string>;
  stop(): Promise<void>;
}
