import fc from 'fast-check';
import { leftOver } from '../server/start-command.js';
import { Finding } from './finding.js';
import { plans } from './plan.js';
import { playCalls, Tally } from './play-calls.js';
import { playRaw } from './play-raw.js';
import { rawPlans } from './raw-bytes.js';
import { Target } from './target.js';

/** What was found by one case. */
interface Found {
  /** With `--cases 1` it repeats exactly this case. */
  readonly seed: number;
  readonly finding: Finding;
  /** Whether it was found again on a mock that was started for it. */
  readonly repeats: boolean;
}

/** What a run has come to. */
export interface FuzzOutcome {
  readonly rawCases: number;
  readonly callCases: number;
  /** How many calls were made in the cases of calls. */
  readonly calls: number;
  /** How many operations of both documents answered one of them with a success, and which did not. */
  readonly succeeded: number;
  readonly notSucceeded: readonly string[];
  readonly found: readonly Found[];
  /** How much larger the heap was after the run, once garbage was collected. */
  readonly heapGrowthBytes: number;
  /** What was still open after the clients had gone, by kind. */
  readonly leftOpen: readonly string[];
}

/** How long a run lasts. */
export interface FuzzBounds {
  readonly seed: number;
  readonly mostCases: number;
  readonly mostMs: number;
  /** Called after each case. */
  readonly note?: (cases: number, found: number) => void;
}

/** After so many cases with findings a run ends: the first are to be fixed before. */
const MOST_FAILED = 20;
/** How long a finding may be made smaller. */
const SHRINK_MS = 30_000;

/** Attacks a mock of its own, case by case; the nth case has the seed plus n. */
export async function fuzz({ seed, mostCases, mostMs, note }: FuzzBounds): Promise<FuzzOutcome> {
  const untilMs = performance.now() + mostMs;
  const target = await Target.start();
  const found: Found[] = [];
  const cases = { raw: 0, calls: 0, failed: 0 };
  const tally = new Tally();
  try {
    // What is built at the first request is no growth.
    for (let nth = 0; nth < 2; nth += 1) await play(target, nth);
    await target.clean();
    const before = await target.command.measure();
    for (let nth = 0; nth < mostCases && performance.now() < untilMs; nth += 1) {
      const caseSeed = (seed + nth) % 2 ** 31;
      cases[isRaw(caseSeed) ? 'raw' : 'calls'] += 1;
      const finding = await play(target, caseSeed, { tally });
      if (finding) cases.failed += 1;
      if (finding && isNew(finding, found)) {
        const smallest = await playAnew(caseSeed);
        const repeats = smallest !== undefined;
        found.push({ seed: caseSeed, finding: smallest ?? finding, repeats });
      }
      if (cases.failed >= MOST_FAILED) break;
      note?.(nth + 1, found.length);
    }
    await target.clean();
    target.hangUp();
    const after = await target.command.measure();
    return {
      rawCases: cases.raw,
      callCases: cases.calls,
      calls: tally.calls,
      succeeded: tally.succeeded,
      notSucceeded: tally.notSucceeded,
      found,
      heapGrowthBytes: after.heapUsed - before.heapUsed,
      leftOpen: leftOver(before, after),
    };
  } finally {
    await target.stop();
  }
}

function isRaw(caseSeed: number): boolean {
  return caseSeed % 2 === 0;
}

/**
 * Plays one case; returns what it found, made as small as can be within a time. Without the bias of
 * fast-check, which would make each case a first one, of small and odd values alone.
 */
async function play(
  target: Target,
  caseSeed: number,
  { shrinkMs = 0, tally = new Tally() }: { shrinkMs?: number; tally?: Tally } = {},
): Promise<Finding | undefined> {
  const property = isRaw(caseSeed)
    ? fc.asyncProperty(fc.noBias(rawPlans()), (plan) => playRaw(target, plan))
    : fc.asyncProperty(fc.noBias(plans()), (plan) => playCalls(target, plan, tally));
  const parameters = { seed: caseSeed, numRuns: 1, endOnFailure: shrinkMs === 0 };
  const { failed, errorInstance } = await fc.check<unknown>(
    property as fc.IAsyncProperty<unknown>,
    shrinkMs === 0 ? parameters : { ...parameters, interruptAfterTimeLimit: shrinkMs },
  );
  if (!failed) return undefined;
  if (errorInstance instanceof Finding) return errorInstance;
  throw errorInstance;
}

/** Plays one case on a mock that is started for it, and makes what it finds as small as can be. */
async function playAnew(caseSeed: number): Promise<Finding | undefined> {
  const target = await Target.start();
  try {
    return await play(target, caseSeed, { shrinkMs: SHRINK_MS });
  } finally {
    await target.stop();
  }
}

/** Whether no other was found that looks alike. */
function isNew(finding: Finding, found: readonly Found[]): boolean {
  return !found.some((other) => keyOf(other.finding) === keyOf(finding));
}

function keyOf({ expected, received }: Finding): string {
  const withoutValues = (text: string) => text.replaceAll(/[\d"']+/g, '').slice(0, 40);
  return withoutValues(expected) + withoutValues(received);
}
