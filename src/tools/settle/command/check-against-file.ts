import type { DecisionId, GivenChanges } from '#spec';
import { memberOf } from '../../../core/values/json-value.js';
import { EXIT } from '../../../host/terminal/exit.js';
import { isNeverAsked, needsWrites } from '../script/script.js';
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

/** How a response is written, unlike a decision: `GET /measurements?limit=0 -> 200`. */
const OF_RESPONSE = / -> \d/;

/** The decisions that the user accepts although no value describes them, and accepted responses. */
export function acceptedBy(
  flag: readonly string[] = [],
  file: GivenChanges = {},
): readonly string[] {
  refuseUnknownDecisions(
    flag.filter((one) => !OF_RESPONSE.test(one)),
    '--accept',
  );
  const inFile = Object.keys(file).filter((id) => memberOf(file[id], 'accepted') === 'none');
  return [...flag, ...inFile];
}

/** Counts an accepted `none`, and what only accepted responses keep open, as no difference. */
export function acceptNone(report: SettleReport, accepted: readonly string[]): SettleReport {
  const isAccepted = ({ decision, verdict }: DecisionVerdict) => {
    const open = report.unexplained.filter(({ decisions }) => decisions.includes(decision));
    const isByItself = accepted.includes(decision) && (verdict === 'none' || open.length > 0);
    return isByItself || (open.length > 0 && open.every((one) => accepted.includes(one.response)));
  };
  const verdicts = report.verdicts.map((one) => (isAccepted(one) ? { ...one, agrees: true } : one));
  return { ...report, verdicts };
}

/** The decisions that a check is about: those of the file, and those accepted. */
export function decisionsToCheck(
  file: GivenChanges = {},
  accepted: readonly string[],
): readonly DecisionId[] {
  const ids = [...Object.keys(file), ...accepted.filter((one) => !OF_RESPONSE.test(one))];
  return [...new Set(ids)] as DecisionId[];
}

/**
 * Compares a report with the decisions of a file and `--accept`. A decision counts as not asked if
 * `--only` left it out, if no request asks about it, or if only writes settle it and they were not
 * allowed; in the last case it is judged if there is evidence nevertheless.
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
