import { EXIT, untilInterrupted } from '../../../host/terminal/exit.js';
import { readDecisionsFile } from '../../../host/terminal/flags-and-variables.js';
import { createOutputFiles } from '../../../host/terminal/output-file.js';
import { createProgress } from '../../../host/terminal/progress.js';
import { useProxies } from '../../../host/terminal/proxies.js';
import { wrap } from '../../../host/terminal/wrap-text.js';
import { runSettle } from '../run-settle.js';
import type { SettleOptions, SettleProgress } from '../settle-options.js';
import type { SettleReport } from '../settle-report.js';
import {
  acceptedBy,
  acceptNone,
  checkOf,
  decisionsToCheck,
  exitCodeOf,
} from './check-against-file.js';
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
  const asked = { ...options, ...(file && { inForce: file }) };
  await untilInterrupted(async (signal) => {
    const report = acceptNone(await settleShowingProgress(asked, signal), accepted);
    const ids = decisionsToCheck(file, accepted);
    const check = file && checkOf(report, ids, allowWrites === true);
    process.stdout.write(settleReportForPeople(report, check));
    outFile?.write(decisionsFileOf(report));
    jsonFile?.write(`${JSON.stringify(report, null, 2)}\n`);
    junitFile?.write(junitOf(report, check));
    process.exitCode = exitCodeOf(report, check);
    if (proxy && process.exitCode === EXIT.couldNotLook) process.stderr.write(`${proxy}\n`);
  });
}

/** After a signal, resolves to a report of what is known so far. */
function settleShowingProgress(options: SettleOptions, signal: AbortSignal): Promise<SettleReport> {
  const progress = createProgress(process.stderr);
  const onProgress = ({ done, all, requests, sent }: SettleProgress) => {
    const line = `${sent}, ${requests} sent so far`;
    progress.show(done, all, sent === undefined ? undefined : { line, isNotable: false });
  };
  const running = runSettle('target' in options ? { ...options, signal, onProgress } : options);
  return running.finally(progress.clear);
}
