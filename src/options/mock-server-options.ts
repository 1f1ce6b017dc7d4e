import type { FaultRequest } from '../accounts/faults.js';
import type { AccountDeclaration } from '../datasets/fixture/fixture.js';
import type { DecisionChanges } from '../decisions/decision-changes.js';
import type { Routes } from '../doors/express/routes.js';
import type { StubRequest } from '../stubs/stub.js';

/** The options of a mock wherever it runs. */
export interface MockOptions {
  /** The path below which the mock answers, such as `/v1`; at the root if it is left out. */
  readonly basePath?: string;
  /** The seed of generated records, instead of the fixture's: a whole number below 2^32. */
  readonly seed?: number;
  /** What certain tokens get, in addition to those that the fixture declares: another dataset or seed, or a 401. */
  readonly accounts?: Readonly<Record<string, AccountDeclaration>>;
  /** How many accounts may be open at once; a further token gets a 503. */
  readonly maxAccounts?: number;
  /** How many bytes of changed records, stubs and snapshots all accounts may hold in total; 256 MB by default. */
  readonly stateBytes?: number;
  /**
   * How long every answer of the service is held back, in ms: a number, or a range such as
   * `'20..200'`, from which each delay is drawn by the seed.
   */
  readonly latency?: number | string;
  /** How many requests the journal of an account keeps; 0 keeps none. */
  readonly journalSize?: number;
  /** How many bytes the journals of all accounts keep in total; 64 MB by default. */
  readonly journalBytes?: number;
  /** True to keep the bodies of answers in the journals, each of at most 1 MB, for `journal.toHar()`. */
  readonly captureBodies?: boolean;
  /** True to list in the header `Decisions` the decisions that each answer depended on. */
  readonly explain?: boolean;
  /**
   * Answers to what the specification leaves open, by the ids of `docs/decisions.md`, each plain or
   * with where it was seen; they override those of the fixture.
   */
  readonly decisions?: DecisionChanges;
  /**
   * Answers to calls that no operation answers, for every caller; one replaces that of the fixture
   * with the same method and path.
   */
  readonly stubs?: readonly StubRequest[];
  /** Faults that every account opens with, and has again after a reset. */
  readonly faults?: readonly FaultRequest[];
}

/**
 * The options of a mock server. All are optional.
 *
 * @example
 * const options: MockServerOptions = { dataset: 'edge-cases', seed: 7, logLevel: 'info' };
 */
export interface MockServerOptions extends MockOptions {
  /** The port to listen on; 0 for any free one. */
  readonly port?: number;
  /** The address to listen on. */
  readonly host?: string;
  /** The path of a certificate in PEM: `start()` then serves https, with the key of `tlsKey`. */
  readonly tlsCert?: string;
  /** The path of the certificate's private key, in PEM. */
  readonly tlsKey?: string;
  /** The name of a dataset in `fixtures/`, or the path of a fixture file. */
  readonly dataset?: string;
  /**
   * Closes accounts that had no request and no call of the control plane for so long, such as `30m`;
   * never by default. Their tokens open new ones.
   */
  readonly closeIdleAfter?: string;
  /**
   * The path of a file that what is changed in accounts is read from at the start, and written to:
   * every five seconds while the server listens, and by `stop()`.
   */
  readonly stateFile?: string;
  /**
   * The path of a file to which every request and its answer is appended when it has ended, a line of
   * JSON each; without tokens, and readable by its owner only.
   */
  readonly journalFile?: string;
  /** How many bytes the journal file may have before it is renamed to `FILE.1`; 64 MB by default. */
  readonly rotateBytes?: number;
  /**
   * The path of a file that has what of the contract requests have touched: written by `stop()`, and
   * when `server.coverage()` is asked for. Mocks of one run of tests add up in it.
   */
  readonly coverage?: string;
  /** False to disable the control plane. */
  readonly control?: boolean;
  /** False to leave out the page at `/__control/ui`. */
  readonly ui?: boolean;
  /** The required value of `X-Control-Token`; generated at the start if the host is not a loopback address. */
  readonly controlToken?: string;
  /** Host names under which the control plane may be called, in addition to the loopback ones. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may use the control plane, such as `http://localhost:5173`; `*` is refused. */
  readonly allowedOrigins?: readonly string[];
  /** True to read a fixture again when its file changes; its accounts are reset. */
  readonly watch?: boolean;
  /** Which log lines are written to standard error. */
  readonly logLevel?: LogLevel;
  /** The format of log lines: text for people, or JSON, which names account and journal number as well. */
  readonly logFormat?: LogFormat;
  /** Adds routes of an Express router, for calls that neither an operation nor a stub answers. */
  readonly routes?: Routes;
}

/**
 * The least severe level of log lines that are written.
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

/** Every format of log lines. */
export const LOG_FORMATS = ['text', 'json'] as const;
