import type { FaultRequest } from '../accounts/faults.js';
import { PARAMETERS } from '../generated/operations.js';
import { selectNamed } from './alternatives.js';
import { inParallel } from './breaking-combinations.js';
import { type FaultOutcome, NOT_TOUCHED, outcomeUnderFault } from './outcomes.js';
import {
  countOf,
  createRun,
  isComparable,
  notCalledIn,
  type RunEnd,
  type SharedByRuns,
  timeoutAfter,
} from './single-run.js';

type OperationId = keyof typeof PARAMETERS;

/** The faults to inject into each operation, once in every account. */
const FAULTS: Readonly<Record<string, FaultRequest>> = {
  'lost response': { kind: 'reset', phase: 'after' },
  reset: { kind: 'reset' },
  slow: { kind: 'slow', delayMs: 2_000 },
  500: { kind: 'status', status: 500 },
  '503, Retry-After': { kind: 'status', status: 503, retryAfterS: 1 },
  429: { kind: 'status', status: 429, retryAfterS: 1 },
  'cut body': { kind: 'truncated' },
  'malformed body': { kind: 'malformed-json' },
};

/** An operation, and the fault to inject into its first call. */
export interface FaultCell {
  readonly operationId: OperationId;
  readonly fault: string;
}

export interface FaultRun extends Partial<RunEnd>, FaultCell {
  readonly outcome: FaultOutcome;
  /** How many requests met the fault; `attempts` adds how many of them the client sent again. */
  readonly met: number;
  readonly attempts: number;
  /** If it passed: the operations that only the baseline called. */
  readonly notCalled?: readonly string[];
}

export interface SweepResult {
  readonly baseline: RunEnd;
  readonly runs: readonly FaultRun[];
}

const CELLS: readonly FaultCell[] = (Object.keys(PARAMETERS) as OperationId[]).flatMap(
  (operationId) => Object.keys(FAULTS).map((fault) => ({ operationId, fault })),
);

/** Formats a cell: `getCustomer=slow`. */
export function nameOfCell({ operationId, fault }: FaultCell): string {
  return `${operationId}=${fault}`;
}

/** The cells named by an operation, a fault, or both. Throws an `OptionError` for unknown names. */
export function cellsNamed(names: readonly string[], source: string): readonly FaultCell[] {
  return selectNamed(names, CELLS, (one) => [one.operationId, one.fault, nameOfCell(one)], {
    source,
    expected: 'an operation, a fault, or operation=fault',
    hint: `The faults are ${Object.keys(FAULTS).join('; ')}.`,
  });
}

export interface SweepOptions extends SharedByRuns {
  /** What to run, if the baseline calls the operation; by default, all operations and faults. */
  readonly cells?: readonly FaultCell[] | undefined;
  readonly onProgress: (done: number, all: number, run?: FaultRun) => void;
}

/**
 * Runs the command once without faults, then once for each cell whose operation it called. In every
 * account, the first call of the operation meets the fault, unless it is refused before.
 */
export async function sweepFaults(options: SweepOptions): Promise<SweepResult> {
  const baseline = await (await createRun(options, 'matrix-baseline', {})).run(options.timeoutMs);
  if (!isComparable(baseline)) return { baseline, runs: [] };
  const timeoutMs = options.timeoutMs ?? timeoutAfter(baseline);
  const planned = options.cells ?? CELLS;
  const isCalled = ({ operationId }: { readonly operationId: string }) =>
    countOf(baseline.coverage, operationId, 'called').count > 0;
  const all = planned.filter(isCalled).length;
  let done = 0;
  options.onProgress(done, all);
  const runs: FaultRun[] = [];
  await inParallel(planned, options.jobs, async (one, place) => {
    const { operationId, fault } = one;
    const given = FAULTS[fault] as FaultRequest;
    const untouched = { ...one, outcome: NOT_TOUCHED, met: 0, attempts: 0 } as const;
    runs[place] = untouched;
    if (!isCalled(one)) return;
    const token = `matrix-${operationId}-${fault.replaceAll(/\W+/g, '-')}`;
    const faults = [{ ...given, operationId }];
    const end = await (await createRun(options, token, { faults })).run(timeoutMs);
    const { count: met, triedAgain } = countOf(end.coverage, operationId, `fault ${given.kind}`);
    runs[place] = {
      ...untouched,
      ...end,
      outcome: outcomeUnderFault(end, met),
      notCalled: notCalledIn(end, baseline),
      met,
      attempts: met + triedAgain,
    };
    done += 1;
    options.onProgress(done, all, runs[place]);
  });
  return { baseline, runs };
}
