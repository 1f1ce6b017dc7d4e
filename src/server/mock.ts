import type { AccountControl, JournalControl } from '../accounts/account-control.js';
import type { Coverage } from '../coverage/coverage.js';
import type { Dataset } from '../datasets/dataset.js';
import type { Fetch } from '../doors/fetch.js';
import type { StubsControl } from '../stubs/stubs.js';

/** A mock of the billing service, wherever it runs. */
export interface Mock {
  /**
   * Answers a standard `Request` with a standard `Response` in process, through the same pipeline as
   * over a socket; only path, query, method, headers and body matter, not the host of the URL. A
   * relative URL is resolved against the server's: with the base path `/v1`, `measurements` is
   * `/v1/measurements`, and `/measurements` is outside of it, as over a socket. Rejects as the global
   * `fetch` does when a fault closes the connection. It is bound to this server, so you can pass it to
   * a client or to MSW.
   */
  readonly fetch: Fetch;
  /** The records that accounts start with unless their token is declared with others. */
  readonly dataset: Dataset;
  /** The requests that reached no account: unknown paths, missing or refused tokens. */
  readonly journal: JournalControl;
  /** Responses to calls that no operation answers, for every caller; an account's own come first. */
  readonly stubs: StubsControl;
  /**
   * The account of a token, to arrange and inspect. Opens it if it is new; throws a `ProblemError`
   * if the token is declared as refused, or would exceed `maxAccounts`.
   */
  account(token: string): AccountControl;
  /** The tokens of the open accounts, in the order in which they were opened. */
  tokens(): readonly string[];
  /** The OpenAPI document in force for the account of the token. */
  openapi(token: string): object;
  /** Which parts of the contract requests have touched since the server was created, resets included. */
  coverage(): Coverage;
  /** Resets every open account; returns how many there are. */
  resetAll(): number;
  /**
   * Drops the account of a token with all its changes, which makes room for another; returns whether
   * there was one. What `account(token)` returned before throws from then on.
   */
  closeAccount(token: string): boolean;
  /**
   * Closes the accounts whose tokens begin with the prefix as `closeAccount` does; returns how many
   * there were. Throws a `TypeError` for an empty prefix.
   */
  closeAccounts(selection: { readonly prefix: string }): number;
  /** Closes every account as `closeAccount` does; returns how many there were. */
  closeAllAccounts(): number;
}
