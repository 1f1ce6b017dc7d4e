import type { ASKED } from '../questions/asked-decisions.js';
import type { Sample, SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';

/** Requests that belong together. */
export interface Block {
  /** The requests as the plan shows them: `GET /measurements?limit=0`. */
  readonly requests: string;
  /** What they show: the decisions about that. */
  readonly shows: readonly (keyof typeof ASKED)[];
  /** What is made up in these requests, as a noun phrase. */
  readonly madeUp?: string;
  /** True if they change records; they are sent only with `allowWrites`. */
  readonly changesRecords?: true;
  /** How many requests the blocks before it leave for it, at least. */
  readonly reserves?: (options: Named) => number;
  readonly send: (run: Run) => Promise<unknown>;
}

type Named = Pick<CompleteServiceOptions, 'customers' | 'scratchContracts' | 'scratchRefs'>;

/** A request as blocks write it; the default for `token` is `given`. */
export type BlockRequest = Pick<SampleRequest, 'operationId'> &
  Partial<Omit<SampleRequest, 'operationId'>>;

/** What a block knows about the run; make one call at a time. */
export interface Run extends Named {
  /** The samples so far. */
  readonly samples: readonly Sample[];
  /** How many requests may still be sent, besides those that later blocks need. */
  readonly left: () => number;
  /** The seed of this run's made-up values. */
  readonly seed: string;
  /** Waits; rejects if the run is interrupted. */
  readonly pause: (ms: number) => Promise<void>;
  /** Sends a read, once more if its response is lost; undefined if it got none. */
  get(request: BlockRequest): Promise<Sample | undefined>;
  /** Sends a write, once: it may have succeeded although its response is lost. */
  write(request: BlockRequest): Promise<Sample | undefined>;
}
