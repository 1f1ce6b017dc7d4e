import type { GivenChanges } from '../../decisions/decision-changes.js';
import type { DecisionId } from '../../decisions/ledger.js';
import { OBSERVERS } from '../../settle/observers/observers.js';
import { needsWrites } from '../../settle/plan.js';
import { runSettle } from '../../settle/run-settle.js';
import { TOKEN_REFUSED } from '../../settle/send/call-failed.js';
import {
  refuseUnknownDecisions,
  type SettleOptions,
  type SettleProgress,
} from '../../settle/settle-options.js';
import type { DecisionVerdict, SettleReport } from '../../settle/settle-report.js';
import { memberOf } from '../../values/json-value.js';
import { codeOfSignal, EXIT, onSignals } from '../exit.js';
import { readDecisionsFile } from '../flags-and-variables.js';
import { createOutputFiles } from '../output-file.js';
import { createProgress } from '../progress.js';
import { wrap } from '../wrap-text.js';
import { decisionsFileOf, junitOf } from './settle-files.js';
import { type SettleFlags, settleOptionsOf } from './settle-flags.js';
import {
  boundsForPeople,
  type Check,
  planForPeople,
  settleReportForPeople,
} from './settle-for-people.js';

/** Runs `usage-billing-mock settle`. */
export async function runSettleCommand(flags: SettleFlags): Promise<void> {
  const { dryRun, allowWrites, out, report: json, junit } = flags;
  const options = settleOptionsOf(flags);
  const file = flags.check === undefined ? undefined : readDecisionsFile(flags.check);
  if ('target' in options) {
    if (dryRun) process.stdout.write(planForPeople(options));
    else if (allowWrites) process.stderr.write(`${planForPeople(options)}\n`);
    else process.stderr.write(`${wrap(`Sends ${boundsForPeople(options)}.`).join('\n')}\n`);
  }
  if (dryRun) return;
  const [outFile, jsonFile, junitFile] = createOutputFiles(out, json, junit);
  const accepted = acceptedBy(flags.accept, file);
  await untilInterrupted({ ...options, ...(file && { inForce: file }) }, (asked) => {
    const report = acceptNone(asked, accepted);
    const ids = [...new Set([...Object.keys(file ?? {}), ...accepted])] as DecisionId[];
    const check = file && checkOf(report, ids, allowWrites === true);
    process.stdout.write(settleReportForPeople(report, check));
    outFile?.write(decisionsFileOf(report));
    jsonFile?.write(`${JSON.stringify(report, null, 2)}\n`);
    junitFile?.write(junitOf(report, check));
    process.exitCode = exitCodeOf(report, check);
  });
}

/** The decisions for which the user accepts the verdict `none`. */
function acceptedBy(flag: readonly string[] = [], file: GivenChanges = {}): readonly string[] {
  refuseUnknownDecisions(flag, '--accept');
  const inFile = Object.keys(file).filter((id) => memberOf(file[id], 'accepted') === 'none');
  return [...flag, ...inFile];
}

/** Counts an accepted `none` as no difference. */
function acceptNone(report: SettleReport, accepted: readonly string[]): SettleReport {
  const verdicts = report.verdicts.map((one) =>
    one.verdict === 'none' && accepted.includes(one.decision) ? { ...one, agrees: true } : one,
  );
  return { ...report, verdicts };
}

/** Runs `settle`; after a signal, reports what is known so far, and exits. */
async function untilInterrupted(
  options: SettleOptions,
  finish: (report: SettleReport) => void,
): Promise<void> {
  const progress = createProgress(process.stderr);
  const interruption = new AbortController();
  const onProgress = ({ done, all, requests, sent }: SettleProgress) => {
    const line = `${sent}, ${requests} sent so far`;
    progress.show(done, all, sent === undefined ? undefined : { line, isNotable: false });
  };
  let finished: Promise<void> | undefined;
  onSignals(codeOfSignal, () => {
    interruption.abort();
    return finished;
  });
  const { signal } = interruption;
  const running = runSettle('target' in options ? { ...options, signal, onProgress } : options);
  finished = running.finally(progress.clear).then(finish);
  await finished;
}

/**
 * Compares a report with the decisions of a file. A decision counts as not asked if `--only` left
 * it out, if no request asks about it, or if only writes settle it and they were not allowed; in
 * the last two cases it is judged if there is evidence nevertheless.
 */
function checkOf(
  { verdicts }: SettleReport,
  ids: readonly DecisionId[],
  allowWrites: boolean,
): Check {
  const isNotAsked = ({ decision, verdict }: DecisionVerdict) => {
    const { whyNeverAsked } = OBSERVERS[decision];
    const isOutOfReach = whyNeverAsked !== undefined || (needsWrites(decision) && !allowWrites);
    return isOutOfReach && (verdict === 'undecided' || verdict === 'could-not-check');
  };
  const judged = verdicts.filter((one) => ids.includes(one.decision) && !isNotAsked(one));
  const known = judged.map(({ decision }) => decision);
  return { judged, notAsked: ids.filter((id) => !known.includes(id)) };
}

function exitCodeOf({ brokenOff, requests }: SettleReport, check: Check | undefined): number {
  const isRefused = brokenOff?.includes(TOKEN_REFUSED) ?? false;
  const couldNotLook = check
    ? isRefused || check.judged.some(({ agrees }) => agrees === undefined)
    : brokenOff !== undefined || requests === 0;
  if (check?.judged.some(({ agrees }) => agrees === false)) return EXIT.somethingDiffers;
  return couldNotLook ? EXIT.couldNotLook : 0;
}
