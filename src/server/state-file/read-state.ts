import { createHash } from 'node:crypto';
import { wrongChanges } from '../../decisions/wrong-decisions.js';
import { OptionError } from '../../errors/option-error.js';
import { isObject } from '../../values/json-value.js';
import { describeMistake } from '../../values/mistake.js';
import { MOST_LEVELS_WRAPPED, parseJson } from '../../values/parse-json.js';
import { shown } from '../../values/received-value.js';
import { isCalendarDay } from '../../values/time.js';
import { readRegularFile } from '../read-regular-file.js';
import { digestEnding } from './write-state.js';
import type { WrittenAccount } from './written-account.js';

/** The format of the file; the number changes only if earlier releases cannot read the new one. */
export const FORMAT = 1;

/** What a state file contains, before its digest. */
export interface State {
  readonly format: typeof FORMAT;
  /** The fingerprint of the server's dataset. */
  readonly dataset: string;
  /** The day from which the dataset's relative dates are counted. */
  readonly today?: string;
  /** The salt of the tokens' hashes. */
  readonly salt: string;
  readonly accounts: readonly WrittenAccount[];
}

const WHAT_TO_DO = 'Use another file, or delete this one.';

const REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'it is a link; expected a regular file',
  EISDIR: 'it is a folder; expected a regular file',
  ENXIO: 'it is a pipe or a device; expected a regular file',
  ENOTDIR: 'its folder is a file; expected a folder',
  EACCES: 'permission denied; expected a file that this user can read',
};

/** Reads the state; undefined if there is no file. Throws an `OptionError` if it cannot be used. */
export function readState(path: string, dataset: string): State | undefined {
  const bytes = bytesOf(path);
  if (bytes === undefined) return undefined;
  const state = parsed(bytes);
  if (!isObject(state) || !('format' in state)) {
    throw refused(
      path,
      'is damaged, or is not a state file; expected a file that an earlier mock wrote',
    );
  }
  if (state.format !== FORMAT) {
    throw refused(path, `has the format ${shown(state.format)}; expected ${FORMAT}`);
  }
  if (!isIntact(bytes)) {
    throw refused(path, 'is damaged: its bytes differ from those that a mock wrote');
  }
  if (state.dataset !== dataset) {
    throw refused(
      path,
      `was saved with the dataset ${shown(state.dataset)}; expected '${dataset}', the fingerprint of the dataset and seed in force`,
      'Start with the dataset and seed of the file, use another file, or delete this one.',
    );
  }
  // The digest shows that a mock has written it, so its members need no check.
  const written = state as unknown as State;
  refuseOtherDecisions(path, written);
  return written;
}

/** The day in a state file from which relative dates are counted; undefined if there is none. */
export function dayOfState(path: string): string | undefined {
  const head = bytesOf(path)?.subarray(0, 300).toString() ?? '';
  const day = /"today":"(\d{4}-\d\d-\d\d)"/.exec(head)?.[1] ?? '';
  return isCalendarDay(day) ? day : undefined;
}

/** Refuses unknown decisions, which a later release may have written. */
function refuseOtherDecisions(path: string, { accounts }: State): void {
  for (const { decisions = {} } of accounts) {
    const [mistake] = wrongChanges(decisions, 'account');
    if (mistake) throw refused(path, `cannot be used: ${describeMistake(mistake)}`);
  }
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readRegularFile(path, { followsLinks: false });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw refused(path, `cannot be read: ${REASONS[code] ?? message}`);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString(), MOST_LEVELS_WRAPPED);
  } catch {
    return undefined;
  }
}

function isIntact(bytes: Buffer): boolean {
  const end = bytes.length - digestEnding('0'.repeat(64)).length;
  const digest = createHash('sha256')
    .update(bytes.subarray(0, Math.max(end, 0)))
    .digest('hex');
  return bytes.subarray(Math.max(end, 0)).toString() === digestEnding(digest);
}

function refused(path: string, what: string, advice = WHAT_TO_DO): OptionError {
  return new OptionError(`The state file '${path}' ${what}. ${advice}`);
}
