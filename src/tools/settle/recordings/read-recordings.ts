import { basename, dirname, join } from 'node:path';
import type { OpenApiDocument } from '#spec';
import { OptionError } from '../../../core/errors/option-error.js';
import { whyUnreadable } from '../../../core/values/file-error.js';
import { readRegularFile } from '../../../host/server/files/read-regular-file.js';
import type { RecordingGap, SettleReport } from '../settle-report.js';
import { inSequence, readRecording } from './calls-of-recording.js';

/** Reads recordings of one service. Throws an `OptionError` for unusable files or several hosts. */
export function readRecordings(
  recordings: readonly string[],
  basePath: string | undefined,
  document: OpenApiDocument,
) {
  const read = recordings.map((path) =>
    readRecording(textOf(path), {
      name: basename(path),
      document,
      basePath,
      readAttached: (file) => attachedTo(path, file),
    }),
  );
  const [host = '', ...others] = new Set(read.map((recording) => recording.host));
  if (others.length > 0) {
    throw new OptionError(
      `The recordings are of ${[host, ...others].join(' and ')}; expected one service. Read them one by one.`,
    );
  }
  const [startedAtMs] = read.flatMap(({ times }) => times).sort((one, other) => one - other);
  const gaps = read.flatMap((recording) => recording.gaps);
  const timesOf = (gap: RecordingGap) => gaps.filter((one) => one === gap).length;
  return {
    host,
    samples: inSequence(...read.map(({ samples }) => samples)),
    unanswered: inSequence(...read.map(({ unanswered }) => unanswered)),
    /** When the first call was sent; undefined if no call has a time. */
    startedAtMs,
    passedOver: read.reduce((sum, one) => sum + one.passedOver, 0),
    tokens: [...new Set(read.flatMap(({ tokens }) => tokens))],
    gaps: Object.fromEntries([...new Set(gaps)].map((gap) => [gap, timesOf(gap)])),
  };
}

function textOf(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    const sentence = `The recording '${path}' cannot be read: ${whyUnreadable(error)}.`;
    throw new OptionError(sentence, { cause: error });
  }
}

/** Playwright attaches bodies as files beside the recording; no other file is read. */
function attachedTo(recording: string, file: string): Buffer | undefined {
  if (basename(file) !== file) return undefined;
  try {
    return readRegularFile(join(dirname(recording), file), { followsLinks: false });
  } catch {
    return undefined;
  }
}

/** Such as `Gaps in the recording: no response body (8), no time (2).`; no line without gaps. */
export function gapsInWords(gaps: SettleReport['gaps'] = {}): readonly string[] {
  const told = Object.entries(gaps).map(([gap, times]) => `${gap.replaceAll('-', ' ')} (${times})`);
  return told.length === 0 ? [] : [`Gaps in the recording: ${told.join(', ')}.`];
}
