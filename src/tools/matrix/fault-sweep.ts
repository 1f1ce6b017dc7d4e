import { type FaultRequest, faultRow, PARAMETERS } from '#spec';
import { selectNamed } from './alternatives.js';
import { calledIn, type SharedByRuns } from './single-run.js';
import {
  type Controls,
  canCompare,
  checkBaseline,
  createTry,
  prepareControls,
  skipped,
  type Trial,
  type Tried,
  tryAll,
} from './trials.js';

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

/** A cell after its runs. */
export interface FaultRun extends Tried, FaultCell {
  /** How many requests met the fault, and how many of them the client sent again. */
  readonly attempts: number;
}

export interface SweepResult extends Controls {
  /** One for each cell, though not run if the baseline did not call its operation. */
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
  /** True to run the command once while every call gets a 500: it has to fail. */
  readonly hasCanary: boolean;
  /** What to run, if the baseline calls the operation; by default, all operations and faults. */
  readonly cells?: readonly FaultCell[] | undefined;
  readonly onProgress: (done: number, all: number, run?: FaultRun) => void;
}

/** A trial of a cell. */
interface Planned extends Trial {
  readonly cell: FaultCell;
}

/**
 * Runs the command once without faults, once while every call fails, and then once for each cell
 * whose operation it called. In every account, the first call of the operation meets the fault,
 * unless it is refused before.
 */
export async function sweepFaults(options: SweepOptions): Promise<SweepResult> {
  const controls = await (await prepareControls(options)).run();
  const { baseline } = controls;
  if (!canCompare(controls)) return { ...controls, runs: [] };
  const cells = options.cells ?? CELLS;
  const called = calledIn(baseline.coverage);
  const isCalled = (operationId: string) => called.includes(operationId);
  const trials = cells.filter(({ operationId }) => isCalled(operationId)).map(planOf);
  let done = 0;
  options.onProgress(done, trials.length);
  const run = createTry<Planned>(options, baseline, ({ cell }, tried) => {
    done += 1;
    // Repeating runs takes more than planned.
    options.onProgress(done, Math.max(done, trials.length), inCell(cell, tried));
  });
  const tried = await tryAll(
    trials,
    options.jobs,
    // A call that is refused does not meet every fault.
    { isTouchedByBaseline: isCalled, isEachTouched: false },
    run,
  );
  const steady = await checkBaseline(tried, options, baseline);
  const found = new Map(trials.map(({ cell }, place) => [cell, steady[place]]));
  const runs = cells.map((cell) => inCell(cell, found.get(cell) ?? skipped(baseline)));
  return { ...controls, runs };
}

function planOf(cell: FaultCell): Planned {
  const { operationId, fault } = cell;
  const given = FAULTS[fault] as FaultRequest;
  return {
    cell,
    subject: operationId,
    token: `matrix-${operationId}-${fault.replaceAll(/\W+/g, '-')}`,
    faults: [{ ...given, operationId }],
    met: rowOf(cell),
  };
}

/** The row of the coverage that counts a fault. */
function rowOf({ operationId, fault }: FaultCell, cameAgain = false): string {
  return faultRow(operationId, String(FAULTS[fault]?.kind), cameAgain);
}

function inCell(cell: FaultCell, tried: Tried): FaultRun {
  const again = tried.coverage.counts[rowOf(cell, true)] ?? 0;
  return { ...tried, ...cell, attempts: tried.met + again };
}
