import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dataset } from '../../core/datasets/dataset.js';
import type { Fixture } from '../../core/datasets/fixture/fixture.js';
import type { StubsControl } from '../../core/stubs/stubs.js';
import type { AccountControl } from '../../mock/accounts/account-interface.js';
import type { JournalControl } from '../../mock/accounts/journal/journal.js';
import type { Coverage } from '../../mock/coverage/coverage.js';
import type { Fetch } from '../adapters/fetch.js';
import type { Below } from '../adapters/intercept-page.js';
import type { MockOptions } from '../options/mock-server-options.js';

/** A mock of the billing service, wherever it runs. */
export interface Mock {
  /**
   * Answers a standard `Request` with a standard `Response` in process, through the same pipeline as
   * over a socket, and ignores the host of the URL. A relative URL is resolved against the base
   * path: with `/v1`, `measurements` is `/v1/measurements`, and `/measurements` is unknown. Rejects
   * as the global `fetch` does when a fault closes the connection. It is bound to this mock, so you
   * can pass it to a client or to MSW.
   */
  readonly fetch: Fetch;
  /** The dataset of every account whose token is not bound to another. */
  readonly dataset: Dataset;
  /** The requests that reached no account, such as those with unknown paths or refused tokens. */
  readonly journal: JournalControl;
  /** Responses to calls that no operation answers, for every caller; an account's own come first. */
  readonly stubs: StubsControl;
  /**
   * The account of a token, to arrange and inspect. Opens it if it is new; throws a `ProblemError`
   * if the token is declared as refused, or the account would exceed `maxAccounts`,
   * and a `TypeError` if no request could send the token.
   */
  account(token: string): AccountControl;
  /** The tokens of the open accounts, in the order in which they were opened. */
  tokens(): readonly string[];
  /** The OpenAPI document in force for the token's account. Opens the account if it is new. */
  openapi(token: string): object;
  /** What requests since the mock was created have touched: operations, faults and decisions. */
  coverage(): Coverage;
  /**
   * Resets every open account, and drops what the state file or tab has kept of accounts that have
   * not been opened since; returns how many are open.
   */
  resetAll(): number;
  /**
   * Drops all changes of a token's account, which makes room for another; returns whether there was
   * one. Using the records of an earlier `account(token)` then throws; its `journal` stays, until
   * later requests of others push it out.
   */
  closeAccount(token: string): boolean;
  /**
   * Closes the open accounts whose tokens begin with the prefix, as `closeAccount` does; returns
   * how many there were. Throws a `TypeError` for an empty prefix.
   */
  closeAccounts(selection: { readonly prefix: string }): number;
  /** Closes every account as `closeAccount` does; returns how many were open. */
  closeAllAccounts(): number;
}

/** What the mock reads of Node's request, spelled out so that the types need no `@types/node`. */
interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: object;
}

/** What the mock needs of Node's response. */
interface NodeResponse {
  readonly writableEnded: boolean;
  readonly setHeader: (name: string, value: string) => unknown;
}

/**
 * A mock of the billing service.
 *
 * @example
 * const server: MockServer = await createMockServer();
 * const url = await server.start();
 * server.account('my-token').reset();
 * await server.stop();
 */
export interface MockServer extends Mock {
  /**
   * The URL of the mock with its base path, such as `http://127.0.0.1:4010/v1`; HTTPS if there is a
   * certificate. Throws unless the server is running.
   */
  readonly url: string;
  /** The Express app, for supertest or your own server; the app answers without `start()`. */
  readonly app: (request: NodeRequest, response: NodeResponse) => void;
  /**
   * Starts to listen; resolves to the URL. Rejects if it cannot, or if the server is already
   * running, starting or stopping.
   */
  start(): Promise<string>;
  /**
   * Stops listening; responses under way, those of `fetch` included, get half a second. The accounts
   * stay.
   */
  stop(): Promise<void>;
  /** The token that the control plane requires in `X-Control-Token`; undefined if it needs none. */
  readonly controlToken: string | undefined;
}

/** What differs when another server hands requests to the mock. */
export interface MountSurroundings {
  /** True to require the control token only from other machines. */
  readonly trustsLoopback?: boolean;
  /** The folder for relative paths of datasets; by default, the current one. */
  readonly folder?: string;
  /** Called with a changed file when it was reloaded; with the mistakes if they prevented that. */
  readonly onReload?: (changed: string, mistakes?: string) => void;
}

/** How another server passes requests to the mock. */
export interface Mount {
  /** Whether the path is the base path or below it. */
  isBelow(request: IncomingMessage): boolean;
  /**
   * Whether an operation, a stub or the control plane has the path, whatever the method; with
   * `routes`, true for every path for which `isBelow` is.
   */
  hasPath(request: IncomingMessage): boolean;
  /** Answers with a 404 if the mock does not have the path. */
  answer(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * The options of a mock in a page: the library options that need no server.
 *
 * @example
 * const options: BrowserMockOptions = { dataset: 'edge-cases', latency: '20..200' };
 */
export interface BrowserMockOptions extends MockOptions {
  /** The name of a dataset, or the members of a fixture; `default` if it is left out. */
  readonly dataset?: string | Fixture;
  /** `session` keeps the changes in accounts until the tab is closed: a reload does not lose them. */
  readonly persist?: 'session';
}

/**
 * A mock that runs in the page, without a server.
 *
 * @example
 * const mock: BrowserMock = await createBrowserMock();
 * const uninstall = mock.install({ url: 'https://billing.example/v1' });
 */
export interface BrowserMock extends Mock {
  /**
   * Answers requests that `fetch` and `XMLHttpRequest` send to this URL and below; all others are
   * sent as before. Returns a function that undoes this.
   */
  install(at: Below): () => void;
  /**
   * A resolver for MSW: `http.all('https://billing.example/v1/*', mock.resolver({ url:
   * 'https://billing.example/v1' }))`.
   */
  resolver(at: Below): (info: { readonly request: Request }) => Promise<Response | undefined>;
}
