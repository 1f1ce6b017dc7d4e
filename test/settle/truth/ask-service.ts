import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DecisionId, SettleReport } from '../../../src/index.js';
// Not through `settle`, which imports it lazily: jest allows no such import in concurrent tests.
import { runSettle } from '../../../src/tools/settle/run-settle.js';
import { recordingOf } from '../../support/billing-recording.js';
import { SCRATCH } from '../../support/billing-records.js';
import {
  type Interference,
  type Running,
  startService,
  stopService,
  TOKEN,
} from '../../support/billing-service.js';
import { type Behaviour, PLAIN_TRUTH } from './behaviours.js';

/** What a run may send; each is judged from its recording, too. */
export const RUNS = ['GET alone', 'scratch records'] as const;

export type Run = (typeof RUNS)[number];

/** Whether settle was changed: CI then tries every row in one of the two ways, not a few in both. */
export const IS_CHANGED = process.env.SETTLE_CHANGED === 'true';

export function isInTurn(at: number, run: Run): boolean {
  return RUNS[at % RUNS.length] === run;
}

// A machine that stands still for a while loses no response.
const OPTIONS = { token: TOKEN, rate: 1000, timeoutMs: 120_000 };

/** Runs `settle` against a service with this behaviour. */
export async function askService(
  { rules }: Pick<Behaviour, 'rules'>,
  run: Run,
  { interfere, only }: { interfere?: Interference; only?: readonly DecisionId[] } = {},
) {
  const service = await startService(rules, interfere);
  const writes = run === 'GET alone' ? {} : SCRATCH;
  const chosen = only ? { only } : {};
  try {
    return {
      report: await runSettle({ target: service.url, ...OPTIONS, ...writes, ...chosen }),
      sent: service.recorded,
      /** Runs `settle` on the recording of this run. */
      read: (recorded = service.recorded) => readRecording({ url: service.url, recorded }, only),
    };
  } finally {
    await stopService(service);
  }
}

/** The exchanges of one account, without those of made-up tokens. */
export function ofOneAccount(sent: Running['recorded']): Running['recorded'] {
  return sent.filter(({ token = TOKEN }) => token === TOKEN);
}

/** The report of a recording of these exchanges. */
async function readRecording(
  service: Pick<Running, 'url' | 'recorded'>,
  only?: readonly DecisionId[],
): Promise<SettleReport> {
  const folder = mkdtempSync(join(tmpdir(), 'settle-truth-'));
  const file = join(folder, 'session.har');
  writeFileSync(file, recordingOf(service));
  try {
    return await runSettle({ recordings: [file], ...(only && { only }) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The wrong verdicts: another value, or an alarm although a value is right. */
export function wrongVerdicts({ truth }: Pick<Behaviour, 'truth'>, { verdicts }: SettleReport) {
  return verdicts.flatMap(({ decision, verdict, value, evidence }) => {
    const right = { ...PLAIN_TRUTH, ...truth }[decision];
    const isWrong =
      verdict === 'settled' ? value !== right : verdict === 'none' ? right !== null : false;
    return isWrong ? [{ decision, said: value ?? verdict, right, evidence }] : [];
  });
}

/** The decisions that are settled correctly. */
export function toldRightly(behaviour: Behaviour, report: SettleReport): readonly DecisionId[] {
  const wrong = wrongVerdicts(behaviour, report).map(({ decision }) => decision);
  return report.verdicts
    .filter(({ verdict }) => verdict === 'settled' || verdict === 'none')
    .map(({ decision }) => decision)
    .filter((decision) => !wrong.includes(decision));
}
