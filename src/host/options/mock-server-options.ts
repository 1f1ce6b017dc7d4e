import type { AccountDeclaration } from '../../core/datasets/fixture/fixture.js';
import type { DecisionChanges } from '../../core/decisions/decision-changes.js';
import type { StubRequest } from '../../core/stubs/stub.js';
import type { FaultRequest } from '../../mock/accounts/faults.js';
import type { Routes } from '../../mock/service/routes.js';

/** The options of a mock, wherever it runs. */
export interface MockOptions {
  /** The base path of the mock, such as `/v1`; the root if you leave it out. */
  readonly basePath?: string;
  /** The seed for generated records, instead of the fixture's: a whole number below 2^32. */
  readonly seed?: number;
  /**
   * The scenario of the dataset that accounts open with, and that a reset returns to, unless the
   * token names another, as `token-scenario-outage` does.
   */
  readonly scenario?: string;
  /**
   * Freezes the clocks of all accounts at this day or instant, such as `2026-11-22`; relative dates in
   * fixtures count from it. With the same instant, the same calls return the same bytes on any day.
   */
  readonly now?: string;
  /**
   * Tokens that get another dataset or seed, or a 401, in addition to those that the fixture
   * declares; a declaration here replaces the fixture's of the same token.
   */
  readonly accounts?: Readonly<Record<string, AccountDeclaration>>;
  /** The maximum number of open accounts, 10,000 by default. Further tokens get a 503. */
  readonly maxAccounts?: number;
  /**
   * How long to delay responses of the service, in ms: a number, or a range such as `'20..200'`,
   * from which each delay is drawn at random; the seed makes the draws repeatable.
   */
  readonly latency?: number | string;
  /**
   * How many requests to keep in each account's journal, and 50 times as many in all accounts; 1,000
   * by default, 0 for none. Of the total, a request longer than 2 kB takes one for each 2 kB.
   */
  readonly journalSize?: number;
  /**
   * How many of the latest response bodies of up to 16 kB to keep, for the page and archives: none
   * by default, 500 with the command and the Vite plugin.
   */
  readonly recentBodies?: number;
  /** True to keep response bodies of up to 1 MB in the journals, for `journal.toHar()`. */
  readonly captureBodies?: boolean;
  /** Answers calls that neither an operation nor a stub answers. */
  readonly routes?: Routes;
  /** True to name the decisions behind each response in the header `Decisions`. */
  readonly explain?: boolean;
  /**
   * The decisions to switch: values by the ids of `docs/decisions.md`, each plain or as
   * `{ value, seen }` with where it was seen; they override the fixture's.
   */
  readonly decisions?: DecisionChanges;
  /**
   * Responses to calls that no operation handles, for every caller; a stub here replaces the fixture's
   * stub with the same method and path.
   */
  readonly stubs?: readonly StubRequest[];
  /** Faults that every account opens with, and that a reset restores. */
  readonly faults?: readonly FaultRequest[];
}

/**
 * The options of a mock server. All are optional.
 *
 * @example
 * const options: MockServerOptions = { dataset: 'edge-cases', seed: 7, logLevel: 'info' };
 */
export interface MockServerOptions extends MockOptions {
  /** The port to listen on. By default 0, which picks a free one. */
  readonly port?: number;
  /** The address to listen on; 127.0.0.1 by default, which other machines cannot reach. */
  readonly host?: string;
  /** The path of a PEM certificate: `start()` then serves HTTPS, with the key from `tlsKey`. */
  readonly tlsCert?: string;
  /** The path of the certificate's PEM private key. */
  readonly tlsKey?: string;
  /** The name of a dataset of the package (`default` if left out), or the path of a fixture file. */
  readonly dataset?: string;
  /**
   * Closes accounts after this long, such as `30m`, without a request, a call to the control plane
   * or a call of `account(token)`; never by default. Their tokens then open new accounts.
   */
  readonly closeIdleAfter?: string;
  /**
   * The path of a file that keeps the changes in accounts: read when the server is created. If
   * something has changed, it is written every five seconds while the server runs, and by `stop()`.
   */
  readonly stateFile?: string;
  /**
   * The path of a file to which each request to the service and its outcome are appended, as lines
   * of JSON; the file has no tokens, and only its owner can read it.
   */
  readonly journalFile?: string;
  /**
   * The path of a coverage file, to which all mocks of a test run append what they have counted. The
   * next run replaces it.
   */
  readonly coverage?: string;
  /** False to disable the control plane. */
  readonly control?: boolean;
  /** False not to serve the page at `/__control/ui`. */
  readonly ui?: boolean;
  /**
   * The required value of `X-Control-Token`. By default, one is generated if the host is not a
   * loopback address; otherwise none is required.
   */
  readonly controlToken?: string;
  /** Host names that the control plane accepts, in addition to the loopback names. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may use the control plane, such as `http://localhost:5173`; `*` is refused. */
  readonly allowedOrigins?: readonly string[];
  /** True to reload a fixture when its file changes, and reset its accounts. */
  readonly watch?: boolean;
  /** Which log lines are written to standard error; `silent` by default. */
  readonly logLevel?: LogLevel;
  /** The format of log lines: text for people, or JSON with account and journal number as well. */
  readonly logFormat?: LogFormat;
}

/**
 * The lowest level of log lines that are written.
 *
 * @example
 * const logLevel: LogLevel = 'warn';
 */
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The format of log lines.
 *
 * @example
 * const logFormat: LogFormat = 'json';
 */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Every log level, the least verbose first. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export const LOG_FORMATS = ['text', 'json'] as const;
