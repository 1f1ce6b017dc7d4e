import type { DecisionId } from '#spec';
import type { Sample, SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';

/** The decisions that every record tells something of. */
export const TOLD_BY_RECORDS = ['optional-fields', 'undocumented-fields'] as const;

/** Requests whose responses help to settle decisions. */
export interface Probe {
  /** The requests as the plan shows them: `GET /measurements?limit=0`. */
  readonly requests: string;
  /** The decisions that they may settle. */
  readonly tells: readonly DecisionId[];
  /** Decisions that they cannot settle, but whose verdicts or probes need them, too. */
  readonly supports?: readonly DecisionId[];
  /** What is made up in these requests, as a noun phrase. */
  readonly madeUp?: string;
  /** True if they change records; they are sent only with `allowWrites`. */
  readonly changesRecords?: true;
  readonly send: (ask: Ask, known: Known) => Promise<unknown>;
}

/**
 * Sends a request; make one call at a time. Rejects with a `CallFailed` if there is no usable
 * response (the token was refused, the service failed), and when the run is over.
 */
export type Ask = (request: ProbeRequest) => Promise<Sample>;

/** A request as probes write it; the default for `token` is `given`. */
export type ProbeRequest = Pick<SampleRequest, 'operationId'> &
  Partial<Omit<SampleRequest, 'operationId'>>;

/** What a probe knows about the run. */
export interface Known
  extends Pick<CompleteServiceOptions, 'customers' | 'scratchContracts' | 'scratchRefs'> {
  /** The samples so far; each call of `Ask` may add some. */
  readonly samples: readonly Sample[];
  /** How many requests may still be sent. */
  readonly left: () => number;
  /** The seed of this run's made-up values. */
  readonly seed: string;
  /** Waits; rejects if the run is interrupted. */
  readonly pause: (ms: number) => Promise<void>;
}
