import type { DecisionId } from '../../decisions/ledger.js';
import type { Sample, SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';

/** Requests that tell something about decisions, sent in the order of the table. */
export interface Probe {
  /** The requests as the plan shows them: `GET /measurements?limit=0`. */
  readonly requests: string;
  /** The decisions that they may tell. */
  readonly tells: readonly DecisionId[];
  /** Decisions that they do not tell, but whose verdicts rest on what they show. */
  readonly supports?: readonly DecisionId[];
  /** What is made up in these requests, as a noun phrase. */
  readonly madeUp?: string;
  /** True if they change records: they are sent only if that is allowed. */
  readonly changesRecords?: true;
  readonly send: (ask: Ask, known: Known) => Promise<unknown>;
}

/**
 * Sends a request, one at a time, and returns the sample. Rejects if there was no response, or one
 * that tells nothing (a refused token, a failure of the service), and when the run is over.
 */
export type Ask = (request: ProbeRequest) => Promise<Sample>;

/** A request as a probe gives it. The token is the given one if it is left out. */
export type ProbeRequest = Pick<SampleRequest, 'operationId'> &
  Partial<Omit<SampleRequest, 'operationId'>>;

/** What a probe can build on. */
export interface Known
  extends Pick<CompleteServiceOptions, 'customers' | 'scratchContracts' | 'scratchRefs'> {
  /** The samples until now. */
  readonly samples: readonly Sample[];
  /** How many requests may still be sent. */
  readonly left: () => number;
  /** What made-up values of this run follow from. */
  readonly seed: string;
  /** Waits, unless the run is interrupted. */
  readonly pause: (ms: number) => Promise<void>;
}
