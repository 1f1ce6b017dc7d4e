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

/** The ways to check a service. */
export const WAYS = ['GET alone', 'scratch records', 'a HAR', 'a HAR of GET alone'] as const;

export type Way = (typeof WAYS)[number];

// A machine that stands still for a while loses no response.
const OPTIONS = { token: TOKEN, rate: 1000, timeoutMs: 120_000 };

/** Checks a service with this behaviour once. */
export async function askService(
  { rules }: Pick<Behaviour, 'rules'>,
  way: Way,
  interfere?: Interference,
): Promise<SettleReport> {
  const service = await startService(rules, interfere);
  try {
    const more = way.endsWith('GET alone') ? {} : SCRATCH;
    const report = await runSettle({ target: service.url, ...OPTIONS, ...more });
    return way.startsWith('a HAR') ? await readRecording(ofOneAccount(service)) : report;
  } finally {
    await stopService(service);
  }
}

/** The report of a recording of these exchanges. */
export async function readRecording(
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

/** The exchanges of one account, without those of made-up tokens. */
function ofOneAccount({ url, recorded }: Running): Pick<Running, 'url' | 'recorded'> {
  return { url, recorded: recorded.filter(({ token = TOKEN }) => token === TOKEN) };
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
