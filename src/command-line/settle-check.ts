import type { DecisionId } from '../decisions/ledger.js';
import { OBSERVERS } from '../settle/observers/observers.js';
import type { DecisionVerdict, SettleReport } from '../settle/settle-report.js';

/** How a service compares with a file of decisions. */
export interface Check {
  /** Those that a run of this kind may observe. */
  readonly judged: readonly DecisionVerdict[];
  /** Those that it does not ask for, and saw nothing of. */
  readonly notAsked: readonly DecisionId[];
}

/**
 * Compares a report with the decisions of a file. One that is told only by changes of records, in a
 * run without them, is not asked, and so is one that is never asked for or that was left out; what
 * was seen of it nevertheless is judged.
 */
export function checkOf(
  { verdicts }: SettleReport,
  ids: readonly DecisionId[],
  allowWrites: boolean,
): Check {
  const judged = verdicts.filter(
    (verdict) => ids.includes(verdict.decision) && !isNotAsked(verdict, allowWrites),
  );
  const known = judged.map(({ decision }) => decision);
  return { judged, notAsked: ids.filter((id) => !known.includes(id)) };
}

function isNotAsked({ decision, verdict }: DecisionVerdict, allowWrites: boolean): boolean {
  const { needsWrites, isNeverAsked } = OBSERVERS[decision];
  const isOutOfReach = isNeverAsked !== undefined || (needsWrites === true && !allowWrites);
  return isOutOfReach && (verdict === 'undecided' || verdict === 'could-not-check');
}
