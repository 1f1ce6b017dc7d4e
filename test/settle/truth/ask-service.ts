import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DecisionId, SettleReport } from '../../../src/index.js';
// Not through `settle`, which imports it lazily: jest allows no such import in concurrent tests.
import { runSettle } from '../../../src/tools/settle/run-settle.js';
import { type Behaviour, PLAIN_TRUTH } from './behaviours.js';
import {
  type Interference,
  type Recorded,
  type Running,
  startService,
  stopService,
  TOKEN,
} from './billing-service.js';
import { SCRATCH } from './records.js';

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
  options: object = {},
): Promise<SettleReport & { readonly received: number }> {
  const service = await startService(rules, interfere);
  try {
    const more = way.endsWith('GET alone') ? {} : SCRATCH;
    const report = await runSettle({ target: service.url, ...OPTIONS, ...more, ...options });
    const read = way.startsWith('a HAR') ? await readRecording(service) : report;
    return { ...read, received: service.recorded.length };
  } finally {
    await stopService(service);
  }
}

/** The report of a recording of one account's requests. */
async function readRecording(service: Running): Promise<SettleReport> {
  const folder = mkdtempSync(join(tmpdir(), 'settle-truth-'));
  const file = join(folder, 'session.har');
  writeFileSync(file, recordingOf(service));
  try {
    return await runSettle({ recordings: [file] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A HAR of one account's requests. */
export function recordingOf({ url, recorded }: Running): string {
  const entries = recorded
    .filter(({ token }) => token === TOKEN || token === undefined)
    .map((one) => entryOf(url, one));
  return JSON.stringify({ log: { version: '1.2', entries } });
}

function entryOf(base: string, { method, path, query, token, body, reply, atMs }: Recorded) {
  const search = query.size === 0 ? '' : `?${query}`;
  const host = { name: 'Host', value: new URL(base).host };
  const authorization = { name: 'Authorization', value: `Bearer ${token}` };
  return {
    startedDateTime: new Date(atMs).toISOString(),
    request: {
      method,
      url: `${base}${path}${search}`,
      headers: token === undefined ? [host] : [host, authorization],
      ...(body !== '' && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status: reply.status,
      headers: [{ name: 'Content-Type', value: reply.type }],
      content: { size: Buffer.byteLength(reply.text), mimeType: reply.type, text: reply.text },
    },
  };
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
