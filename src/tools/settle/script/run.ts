import type { Sample, SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';

/** A request as the script writes it; the default for `token` is `given`. */
export type ScriptRequest = Pick<SampleRequest, 'operationId'> &
  Partial<Omit<SampleRequest, 'operationId'>>;

/** What the script knows about the run; make one call at a time. */
export interface Run
  extends Pick<CompleteServiceOptions, 'customers' | 'scratchContracts' | 'scratchRefs'> {
  /** The samples so far. */
  readonly samples: readonly Sample[];
  /** How many requests may still be sent, besides those that later blocks need. */
  readonly left: () => number;
  /** The seed of this run's made-up values. */
  readonly seed: string;
  /** Waits; rejects if the run is interrupted. */
  readonly pause: (ms: number) => Promise<void>;
  /**
   * Sends a request: a read once more if its response is lost, but a write may have succeeded.
   * Undefined if it got none.
   */
  ask(request: ScriptRequest): Promise<Sample | undefined>;
}
