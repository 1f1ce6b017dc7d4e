import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DecisionId, SettleReport } from '../../../src/index.js';
import { runSettle } from '../../../src/settle/run-settle.js';
import {
  type Recorded,
  type Running,
  startService,
  stopService,
  TOKEN,
} from '../truth/billing-service.js';
import { SCRATCH } from '../truth/records.js';
import type { Service } from './services.js';

/** What a run may send. Each run is asked twice: as it was, and as a proxy recorded it. */
export const RUNS = ['GET alone', 'scratch records'] as const;

export type Run = (typeof RUNS)[number];

/** What a run told, what its recording tells, and what was sent. */
export interface Told {
  readonly asked: SettleReport;
  readonly read: SettleReport;
  readonly sent: readonly Recorded[];
}

/** Asks a service, and reads the recording of the run. */
export async function askAndRead(
  { rules }: Pick<Service, 'rules'>,
  run: Run,
  only?: readonly DecisionId[],
): Promise<Told> {
  const service = await startService(rules());
  const writes = run === 'GET alone' ? {} : SCRATCH;
  try {
    const options = { target: service.url, token: TOKEN, rate: 1000, timeoutMs: 20_000 };
    const asked = await runSettle({ ...options, ...writes, ...(only && { only }) });
    return { asked, read: await readRecording(service, only), sent: service.recorded };
  } finally {
    await stopService(service);
  }
}

/** What a recording of these requests tells. */
export async function readRecording(
  service: Pick<Running, 'url' | 'recorded'>,
  only?: readonly DecisionId[],
): Promise<SettleReport> {
  const folder = mkdtempSync(join(tmpdir(), 'settle-rules-'));
  const file = join(folder, 'run.har');
  writeFileSync(file, harOf(service));
  try {
    return await runSettle({ recordings: [file], ...(only && { only }) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** All that went over the wire, whatever the token, as a proxy in between records it. */
function harOf({ url, recorded }: Pick<Running, 'url' | 'recorded'>): string {
  const entries = recorded.map(({ method, path, query, token, body, reply, atMs }) => ({
    startedDateTime: new Date(atMs).toISOString(),
    request: {
      method,
      url: `${url}${path}${query.size === 0 ? '' : `?${query}`}`,
      headers: token === undefined ? [] : pairsOf({ Authorization: `Bearer ${token}` }),
      ...(body !== '' && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status: reply.status,
      headers: pairsOf(reply.headers),
      content: { size: Buffer.byteLength(reply.text), mimeType: reply.type, text: reply.text },
    },
  }));
  return JSON.stringify({ log: { version: '1.2', entries } });
}

function pairsOf(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
