import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Redaction } from '../accounts/journal/redact-secrets.js';
import { realTimeMs } from '../http/real-time.js';
import { whyUnreadable } from '../messages/file-error.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import { OptionError } from '../options/complete-options.js';
import { concludeAll } from './conclude-all.js';
import { readRecording } from './har.js';
import { decisionsOf } from './plan.js';
import { PROBES } from './probes/probes.js';
import type { RecordingOptions } from './settle-options.js';
import type { SettleReport } from './settle-report.js';
import type { ReasonOf } from './verdict.js';

/** Concludes from recordings; no request leaves. */
export function settleRecordings(
  options: RecordingOptions,
  document: OpenApiDocument,
): SettleReport {
  const startedAt = new Date(realTimeMs()).toISOString();
  const read = options.recordings.map((path) => {
    const name = basename(path);
    const { basePath } = options;
    const how = { name, document, ...(basePath !== undefined && { basePath }) };
    return readRecording(textOf(path), how);
  });
  const exchanges = read
    .flatMap((recording) => recording.exchanges)
    .sort((one, other) => one.sentAtMs - other.sentAtMs);
  return new Redaction().hide({
    target: hostOf(read),
    startedAt,
    requests: exchanges.length,
    passedOver: read.reduce((sum, { passedOver }) => sum + passedOver, 0),
    ...concludeAll(decisionsOf(options.only), { exchanges, document }, notRecorded, options),
  });
}

const notRecorded: ReasonOf = (decision, { wanted, isNeverAsked }) => {
  // Of several requests, the one that is sent for the fewest decisions is meant for this one.
  const asked = PROBES.filter(({ tells }) => tells.includes(decision)).sort(
    (one, other) => one.tells.length - other.tells.length,
  );
  const [request] = isNeverAsked === undefined ? asked : [];
  const shown = request === undefined ? '' : ` (${request.requests})`;
  const reason = `Nothing that was recorded tells it; ${wanted} would${shown}.`;
  return { verdict: 'undecided', reason };
};

/** The host of all recordings. Throws an `OptionError` if there are several. */
function hostOf(read: readonly { readonly host: string }[]): string {
  const hosts = [...new Set(read.map(({ host }) => host))];
  if (hosts.length === 1) return String(hosts[0]);
  throw new OptionError(
    `The recordings are of ${hosts.join(' and ')}; expected one service. Read them one by one.`,
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const sentence = `The recording '${path}' cannot be read: ${whyUnreadable(error)}.`;
    throw new OptionError(sentence, { cause: error });
  }
}
