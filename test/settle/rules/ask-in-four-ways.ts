import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DecisionId, SettleReport } from '../../../src/index.js';
import { runSettle } from '../../../src/tools/settle/run-settle.js';
import {
  type Recorded,
  type Running,
  startService,
  stopService,
  TOKEN,
} from '../truth/billing-service.js';
import { SCRATCH } from '../truth/records.js';
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

/** The report of a recording of these requests. */
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

/** All exchanges, whatever the token, as a proxy would record them. */
function harOf(service: Pick<Running, 'url' | 'recorded'>): string {
  return JSON.stringify({ log: { version: '1.2', entries: entriesOf(service) } });
}

/** The entries of a HAR, with all that a recorder can have of them. */
export function entriesOf({ url, recorded }: Pick<Running, 'url' | 'recorded'>) {
  return recorded.map(({ method, path, query, token, body, reply, atMs }) => ({
    startedDateTime: new Date(atMs).toISOString(),
    request: {
      method,
      url: `${url}${path}${query.size === 0 ? '' : `?${query}`}`,
      headers: pairsOf({
        Host: new URL(url).host,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== '' && {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
        }),
      }),
      queryString: [...query].map(([name, value]) => ({ name, value })),
      bodySize: Buffer.byteLength(body),
      ...(body !== '' && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status: reply.status,
      headers: pairsOf(reply.headers),
      content: { size: Buffer.byteLength(reply.text), mimeType: reply.type, text: reply.text },
      bodySize: Buffer.byteLength(reply.text),
    },
  }));
}

function pairsOf(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
