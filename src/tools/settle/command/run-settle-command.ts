import type { DecisionId } from '#spec';
import { codeOfSignal, EXIT, onSignals } from '../../../host/terminal/exit.js';
import { readDecisionsFile } from '../../../host/terminal/flags-and-variables.js';
import { createOutputFiles } from '../../../host/terminal/output-file.js';
import { createProgress } from '../../../host/terminal/progress.js';
import { useProxies } from '../../../host/terminal/proxies.js';
import { wrap } from '../../../host/terminal/wrap-text.js';
import { runSettle } from '../run-settle.js';
import type { SettleOptions, SettleProgress } from '../settle-options.js';
import type { SettleReport } from '../settle-report.js';
import { acceptedBy, acceptNone, checkOf } from './check-against-file.js';
import { exitCodeOf } from './settle-exit-code.js';
import { decisionsFileOf, junitOf } from './settle-files.js';
import { type SettleFlags, settleOptionsOf } from './settle-flags.js';
import { boundsForPeople, planForPeople, settleReportForPeople } from './settle-for-people.js';

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
  const proxy = 'target' in options ? useProxies() : undefined;
  const [outFile, jsonFile, junitFile] = createOutputFiles(out, json, junit);
  const accepted = acceptedBy(flags.accept, file);
  await settleAndReport({ ...options, ...(file && { inForce: file }) }, (asked) => {
    const report = acceptNone(asked, accepted);
    const ids = [...new Set([...Object.keys(file ?? {}), ...accepted])] as DecisionId[];
    const check = file && checkOf(report, ids, allowWrites === true);
    process.stdout.write(settleReportForPeople(report, check));
    outFile?.write(decisionsFileOf(report));
    jsonFile?.write(`${JSON.stringify(report, null, 2)}\n`);
    junitFile?.write(junitOf(report, check));
    process.exitCode = exitCodeOf(report, check);
    if (proxy && process.exitCode === EXIT.couldNotLook) process.stderr.write(`${proxy}\n`);
  });
}

/** Runs `settle`; after a signal, reports what is known so far, and exits. */
async function settleAndReport(
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
