import type { RequestListener } from 'node:http';
import type { AccountControl } from '../accounts/account.js';
import type { JournalControl } from '../accounts/journal/journal.js';
import type { Dataset } from '../datasets/dataset.js';
import type { Fetch } from '../http/in-process-fetch.js';

/**
 * A mock of the billing service.
 *
 * @example
 * const server: MockServer = await createMockServer();
 * const url = await server.start();
 * server.account('my-token').reset();
 * await server.stop();
 */
export interface MockServer {
  /** Where it listens, such as `http://127.0.0.1:4010`. Throws while it is not started. */
  readonly url: string;
  /** The Express app, for supertest or a server of one's own; it answers without being started. */
  readonly app: RequestListener;
  /**
   * Answers a standard `Request` with a standard `Response` in process, through the same pipeline
   * as over a socket; only path, query, method, headers and body count, not the host of the URL.
   * Rejects as the global `fetch` does when a fault breaks the connection. Bound to this server:
   * it may be handed on as it is, to a client or to MSW.
   */
  readonly fetch: Fetch;
  /** The records that accounts are forks of unless their token is bound to others. */
  readonly dataset: Dataset;
  /** Starts to listen and returns the URL. Rejects if the port cannot be had. */
  start(): Promise<string>;
  /**
   * Stops listening; answers under way, those of `fetch` too, have half a second to leave. The
   * accounts stay.
   */
  stop(): Promise<void>;
  /** What the control plane demands in `X-Control-Token`; nothing if it is undefined. */
  readonly controlToken: string | undefined;
  /** The requests that reached no account: unknown paths, missing or refused tokens. */
  readonly journal: JournalControl;
  /**
   * The account of a token: what a test arranges and inspects. Opens it if it is new; throws a
   * `ProblemError` if the token is declared as refused, or is one more than `maxAccounts`.
   */
  account(token: string): AccountControl;
  /** The tokens of the open accounts, in the order in which they were opened. */
  tokens(): readonly string[];
  /** The OpenAPI document by which the account of the token is answered. */
  openapi(token: string): object;
  /** Resets every open account; says how many there are. */
  resetAll(): number;
  /**
   * Forgets the account of a token with all its changes, and makes room for another; says whether
   * there was one. What `account(token)` gave before throws from then on.
   */
  closeAccount(token: string): boolean;
  /** Forgets every account as `closeAccount` does one; says how many there were. */
  closeAllAccounts(): number;
}
