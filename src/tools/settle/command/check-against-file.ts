import type { DecisionId, GivenChanges } from '#spec';
import { memberOf } from '../../../core/values/json-value.js';
import { EXIT } from '../../../host/terminal/exit.js';
import { isNeverAsked } from '../observers/observers.js';
import { needsWrites } from '../probes/probes.js';
import { TOKEN_REFUSED } from '../send/call-failed.js';
import { refuseUnknownDecisions } from '../settle-options.js';
import type { DecisionVerdict, SettleReport } from '../settle-report.js';

/** How a service compares with a file of decisions. */
export interface Check {
  /** Decisions of the file or `--accept` that the run could ask about, or has evidence of. */
  readonly judged: readonly DecisionVerdict[];
  /** The rest of them; see `checkOf`. */
  readonly notAsked: readonly DecisionId[];
}

/** The decisions for which the user accepts the verdict `none`. */
export function acceptedBy(
  flag: readonly string[] = [],
  file: GivenChanges = {},
): readonly string[] {
  refuseUnknownDecisions(flag, '--accept');
  const inFile = Object.keys(file).filter((id) => memberOf(file[id], 'accepted') === 'none');
  return [...flag, ...inFile];
}

/** Counts an accepted `none` as no difference. */
export function acceptNone(report: SettleReport, accepted: readonly string[]): SettleReport {
  const verdicts = report.verdicts.map((one) =>
    one.verdict === 'none' && accepted.includes(one.decision) ? { ...one, agrees: true } : one,
  );
  return { ...report, verdicts };
}

/**
 * Compares a report with the decisions of a file and `--accept`. A decision counts as not asked if
 * `--only` left it out, if no request asks about it, or if only writes settle it and they were not
 * allowed; in the last two cases it is judged if there is evidence nevertheless.
 */
export function checkOf(
  { verdicts }: SettleReport,
  ids: readonly DecisionId[],
  allowWrites: boolean,
): Check {
  const isNotAsked = ({ decision, verdict }: DecisionVerdict) => {
    const isOutOfReach = isNeverAsked(decision) || (needsWrites(decision) && !allowWrites);
    return isOutOfReach && (verdict === 'undecided' || verdict === 'could-not-check');
  };
  const judged = verdicts.filter((one) => ids.includes(one.decision) && !isNotAsked(one));
  const known = judged.map(({ decision }) => decision);
  return { judged, notAsked: ids.filter((id) => !known.includes(id)) };
}

/** The exit code for a report. A difference outweighs what could not be looked at. */
export function exitCodeOf({ brokenOff, requests }: SettleReport, check?: Check): number {
  const isRefused = brokenOff?.includes(TOKEN_REFUSED) ?? false;
  const couldNotLook = check
    ? isRefused || check.judged.some(({ agrees }) => agrees === undefined)
    : brokenOff !== undefined || requests === 0;
  if (check?.judged.some(({ agrees }) => agrees === false)) return EXIT.somethingDiffers;
  return couldNotLook ? EXIT.couldNotLook : 0;
}
