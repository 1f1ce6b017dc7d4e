import type { DecisionId, SettleReport } from '../../../src/index.js';
import { runSettle } from '../../../src/tools/settle/run-settle.js';
import { SCRATCH } from '../../support/billing-records.js';
import { type Recorded, startService, stopService, TOKEN } from '../../support/billing-service.js';
import { readRecording } from '../truth/ask-service.js';
import type { Service } from './services.js';

/** What a run may send. Each run is judged twice: directly, and from a proxy's recording. */
export const RUNS = ['GET alone', 'scratch records'] as const;

export type Run = (typeof RUNS)[number];

/** The report of a run, that of its recording, and what was sent. */
export interface Told {
  readonly asked: SettleReport;
  readonly read: SettleReport;
  readonly sent: readonly Recorded[];
}

/** Runs `settle` against a service, and again on the recording of that run. */
export async function askAndRead(
  { rules }: Pick<Service, 'rules'>,
  run: Run,
  only?: readonly DecisionId[],
): Promise<Told> {
  const service = await startService(rules());
  const writes = run === 'GET alone' ? {} : SCRATCH;
  try {
    const options = { target: service.url, token: TOKEN, rate: 1000, timeoutMs: 120_000 };
    const asked = await runSettle({ ...options, ...writes, ...(only && { only }) });
    return { asked, read: await readRecording(service, only), sent: service.recorded };
  } finally {
    await stopService(service);
  }
}
