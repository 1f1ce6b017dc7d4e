import type { DecisionId } from '../decisions/ledger.js';
import type { MockServerOptions } from '../options/mock-server-options.js';

/**
 * A service to ask, or recordings of one.
 *
 * @example
 * const options: SettleOptions = { recordings: ['session.har'], only: ['final-cursor'] };
 */
export type SettleOptions = ServiceOptions | RecordingOptions;

/** What asking a service and reading recordings of it have in common. */
interface SharedOptions {
  /** The decisions that are judged; all of them if it is left out. */
  readonly only?: readonly DecisionId[];
  /** The values that the service is compared with; a decision that is left out has its default. */
  readonly inForce?: NonNullable<MockServerOptions['decisions']>;
}

/** How a service is asked. */
export interface ServiceOptions extends SharedOptions {
  /** The URL of the service, with the path that all its paths begin with. */
  readonly target: string;
  /** The bearer token to ask with. It occurs nowhere in the report. */
  readonly token: string;
  /** Ids of customers, or what the service takes for one; otherwise those of measurements are used. */
  readonly customers?: readonly string[];
  /** Requests a second, 5 by default; they are sent one at a time. */
  readonly rate?: number;
  /** How many requests are sent at most, 100 by default. */
  readonly mostRequests?: number;
  /** How long a request may take in milliseconds, 30 seconds by default. */
  readonly timeoutMs?: number;
  /** True to send calls that change records, to the scratch records alone. */
  readonly allowWrites?: boolean;
  /** Ids of contracts that may be deleted. */
  readonly scratchContracts?: readonly string[];
  /** Refs of usage events that may be deleted. */
  readonly scratchRefs?: readonly string[];
  /** Breaks the run off; the report has what is known until then. */
  readonly signal?: AbortSignal;
  /** Called before the first request, and after the requests of each kind. */
  readonly onProgress?: (progress: SettleProgress) => void;
}

/** How recordings of a service are read. */
export interface RecordingOptions extends SharedOptions {
  /** Paths of HAR files. */
  readonly recordings: readonly string[];
  /** The path that all paths of the service begin with, such as `/v1`, or a whole URL. */
  readonly basePath?: string;
}

/** How far a run has come. */
export interface SettleProgress {
  /** How many kinds of requests were sent. */
  readonly done: number;
  /** How many kinds of requests there are. */
  readonly all: number;
  /** How many requests were sent. */
  readonly requests: number;
  /** The requests that were sent last, such as `GET /measurements?limit=0`. */
  readonly sent?: string;
}
