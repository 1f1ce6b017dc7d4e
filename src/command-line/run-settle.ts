import type { DecisionId } from '../decisions/ledger.js';
import { OptionError } from '../options/complete-options.js';
import {
  checkRecordingOptions,
  completeServiceOptions,
} from '../settle/complete-settle-options.js';
import { runSettle as settle } from '../settle/run-settle.js';
import type { SettleOptions, SettleProgress } from '../settle/settle-options.js';
import type { SettleReport } from '../settle/settle-report.js';
import { codeOfSignal, EXIT, onSignals } from './exit.js';
import { readDecisionsFile } from './flags.js';
import { createProgress } from './progress.js';
import { type Check, checkOf } from './settle-check.js';
import { decisionsFileOf, junitOf } from './settle-files.js';
import {
  nameOfOption,
  recordingOptionsOf,
  type SettleFlags,
  serviceOptionsOf,
} from './settle-flags.js';
import { planForPeople } from './settle-plan.js';
import { settleReportForPeople } from './settle-report.js';
import { createWrittenFiles } from './written-file.js';

/** Runs `usage-billing-mock settle`. */
export async function runSettle({ token, ...flags }: SettleFlags): Promise<void> {
  if (token !== undefined) {
    throw new OptionError(
      'There is no flag for the token, because others on this machine can read flags; set USAGE_BILLING_TOKEN, or the variable that --token-env names.',
    );
  }
  const file = flags.check === undefined ? undefined : readDecisionsFile(flags.check);
  const options = checkedOptions(flags);
  if (flags.dryRun) return;
  const write = prepareFiles(flags);
  await untilInterrupted({ ...options, ...(file && { inForce: file }) }, (report) => {
    const ids = Object.keys(file ?? {}) as DecisionId[];
    const check = file && checkOf(report, ids, flags.allowWrites === true);
    process.stdout.write(settleReportForPeople(report, check));
    write(report, check);
    process.exitCode = exitCodeOf(report, check);
  });
}

/** The options with flags in the words of their mistakes; prints the plan where it is due. */
function checkedOptions(flags: SettleFlags): SettleOptions {
  const name = nameOfOption(flags);
  if (flags.har !== undefined) {
    const options = recordingOptionsOf(flags);
    checkRecordingOptions(options, name);
    return options;
  }
  const options = serviceOptionsOf(flags);
  const plan = () => planForPeople(completed);
  const completed = completeServiceOptions(options, name);
  if (flags.dryRun) process.stdout.write(plan());
  else if (flags.allowWrites) process.stderr.write(`${plan()}\n`);
  return options;
}

/** Runs it; a signal breaks it off, and what is known until then is finished before the exit. */
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
  const running = settle('target' in options ? { ...options, signal, onProgress } : options);
  finished = running.finally(progress.clear).then(finish);
  await finished;
}

/** Fails if a file could not be written; returns what writes them at the end. */
function prepareFiles({ out, report: json, junit }: SettleFlags) {
  const [outFile, jsonFile, junitFile] = createWrittenFiles(out, json, junit);
  return (report: SettleReport, check: Check | undefined) => {
    outFile?.write(decisionsFileOf(report));
    jsonFile?.write(`${JSON.stringify(report, null, 2)}\n`);
    junitFile?.write(junitOf(report, new Set(check?.notAsked)));
  };
}

function exitCodeOf({ brokenOff, requests }: SettleReport, check: Check | undefined): number {
  if (check === undefined) {
    return brokenOff !== undefined || requests === 0 ? EXIT.couldNotLook : 0;
  }
  if (check.judged.some(({ agrees }) => agrees === false)) return EXIT.somethingDiffers;
  return check.judged.some(({ agrees }) => agrees === undefined) ? EXIT.couldNotLook : 0;
}
