import { basename } from 'node:path';
import { Redaction } from '../../accounts/journal/redact-secrets.js';
import { realTimeMs } from '../../doors/unfaked-time.js';
import { OptionError } from '../../errors/option-error.js';
import type { OpenApiDocument } from '../../openapi/route-table.js';
import { readRegularFile } from '../../server/read-regular-file.js';
import { whyUnreadable } from '../../values/file-error.js';
import { decisionsOf } from '../plan-probes.js';
import { PROBES } from '../probes/probes.js';
import { lostIn } from '../seen/lost-responses.js';
import type { RecordingOptions } from '../settle-options.js';
import type { SettleReport } from '../settle-report.js';
import { type ConcludeUnseen, concludeAll } from '../verdict.js';
import { readRecording } from './calls-of-recording.js';

export function settleRecordings(
  { recordings, basePath, only, ...options }: RecordingOptions,
  document: OpenApiDocument,
): SettleReport {
  const startedAt = new Date(realTimeMs()).toISOString();
  const { host, samples, passedOver } = readRecordings(recordings, basePath, document);
  return new Redaction().hide({
    target: host,
    startedAt,
    requests: samples.length,
    lost: lostIn(samples).length,
    passedOver,
    ...concludeAll(decisionsOf(only), { samples, document }, notRecorded, options),
  });
}

/** Reads recordings of one service. Throws an `OptionError` for unusable files or several hosts. */
export function readRecordings(
  recordings: readonly string[],
  basePath: string | undefined,
  document: OpenApiDocument,
) {
  const read = recordings.map((path) =>
    readRecording(textOf(path), { name: basename(path), document, basePath }),
  );
  const samples = read
    .flatMap((recording) => recording.samples)
    .sort((one, other) => one.sentAtMs - other.sentAtMs);
  const passedOver = read.reduce((sum, one) => sum + one.passedOver, 0);
  return { host: hostOf(read), samples, passedOver };
}

const notRecorded: ConcludeUnseen = (decision, { wanted, whyNeverAsked }) => {
  // Suggest the most specific probe: the one that is sent for the fewest decisions.
  const [meant] = PROBES.filter(({ tells }) => tells.includes(decision)).sort(
    (one, other) => one.tells.length - other.tells.length,
  );
  const shown = meant && whyNeverAsked === undefined ? ` (${meant.requests})` : '';
  const reason = `Nothing in the recording settles this decision; ${wanted} would${shown}.`;
  return { verdict: 'undecided', reason };
};

function hostOf(read: readonly { readonly host: string }[]): string {
  const hosts = [...new Set(read.map(({ host }) => host))];
  if (hosts.length === 1) return String(hosts[0]);
  throw new OptionError(
    `The recordings are of ${hosts.join(' and ')}; expected one service. Read them one by one.`,
  );
}

function textOf(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    const sentence = `The recording '${path}' cannot be read: ${whyUnreadable(error)}.`;
    throw new OptionError(sentence, { cause: error });
  }
}
