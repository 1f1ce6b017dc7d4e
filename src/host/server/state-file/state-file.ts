import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { wrongChanges } from '../../../core/decisions/wrong-decisions.js';
import { OptionError } from '../../../core/errors/option-error.js';
import { whyUnwritable } from '../../../core/values/file-error.js';
import { isObject } from '../../../core/values/json-value.js';
import { describeMistake } from '../../../core/values/mistake.js';
import { MOST_LEVELS_WRAPPED, parseJson } from '../../../core/values/parse-json.js';
import { count } from '../../../core/values/plural.js';
import { shown } from '../../../core/values/received-value.js';
import type { UnclaimedAccounts } from '../../../mock/accounts/account-registry.js';
import { openingOf } from '../../../mock/accounts/export-and-import.js';
import { MOST_BYTES, MOST_MB, readRegularFile } from '../read-regular-file.js';
import type { ServerAccounts } from '../server-accounts.js';
import { writeWholeFile } from '../write-whole-file.js';
import { changedIn, createSavedAccounts, type SavedEntry } from './saved-accounts.js';

const OWNER_ONLY = 0o600;

/** The number changes only if earlier releases cannot read the new format. */
const FORMAT = 1;

/** What a state file contains, before its digest. */
interface State {
  readonly format: typeof FORMAT;
  /** The fingerprint of the server's dataset. */
  readonly dataset: string;
  /** The day from which the dataset's relative dates are counted. */
  readonly today: string;
  /** The salt of the tokens' hashes. */
  readonly salt: string;
  readonly accounts: readonly SavedEntry[];
}

/** A file that keeps the changes in accounts from one server to the next. */
export interface StateFile {
  /** The day from which the dataset's relative dates were counted. */
  readonly today: string | undefined;
  /** The accounts that were read, until their tokens are used. */
  readonly unclaimed: UnclaimedAccounts;
  /** Throws an `OptionError` if the file is of another dataset. */
  refuseOther(fingerprint: string): void;
  /** Writes the file if something has changed. */
  save(held: ServerAccounts): void;
}

/**
 * Reads the file, if it exists. Throws an `OptionError` if it is damaged, has another format, or
 * cannot be written.
 */
export function openStateFile(path: string, logger: Logger): StateFile {
  const read = readState(path);
  prepareFile(path);
  const { salt = randomBytes(16).toString('hex'), accounts = [] } = read ?? {};
  /** A salted hash, so that the file does not reveal the token. */
  const hashToken = (token: string) => createHmac('sha256', salt).update(token).digest('hex');
  const unclaimed = createSavedAccounts(hashToken, accounts, logger);
  let hasFailed = false;
  /** Values to compare by identity: some are replaced when an account or the dataset changes. */
  let marks: readonly unknown[] = [];

  function save(held: ServerAccounts): void {
    const { main, today } = held.datasets();
    const [changed, others] = [changedIn(held.accounts), unclaimed.list()];
    const now = [main.fingerprint, ...others, ...changed.flatMap((one) => one.marks)];
    if (now.length === marks.length && now.every((mark, at) => mark === marks[at])) return;
    try {
      const entries = [...others, ...changed.map((one) => one.entry(hashToken))];
      const head = { format: FORMAT, dataset: main.fingerprint, today, salt } as const;
      writeWholeFile(path, textOf(head, entries), OWNER_ONLY);
      marks = now;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) {
        logger.error(`${cannotWrite(path, error)} Changes are not saved until writing succeeds.`);
      }
      hasFailed = true;
    }
  }

  return {
    today: read?.today,
    unclaimed,
    refuseOther(fingerprint) {
      marks = [fingerprint, ...accounts];
      if (!read) return;
      if (read.dataset !== fingerprint) {
        throw refused(
          path,
          `was saved with the dataset ${shown(read.dataset)}; expected '${fingerprint}', the fingerprint of the dataset and seed in force`,
          'Start with the dataset and seed of the file, use another file, or delete this one.',
        );
      }
      logger.info(`Read the state of ${count(accounts.length, 'account')} from ${path}.`);
    },
    save,
  };
}

/** Undefined if there is no file. Throws an `OptionError` if it cannot be used. */
function readState(path: string): State | undefined {
  let text: string;
  try {
    text = readRegularFile(path, { followsLinks: false }).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OptionError(`The state file '${path}' cannot be read: ${whyUnwritable(error)}.`);
  }
  const state = parsed(text);
  if (!isObject(state) || !('format' in state)) {
    throw refused(
      path,
      'is damaged, or is not a state file; expected a file that an earlier mock wrote',
    );
  }
  if (state.format !== FORMAT) {
    throw refused(path, `has the format ${shown(state.format)}; expected ${FORMAT}`);
  }
  const content = text.slice(0, -endingOf('').length);
  if (text !== content + endingOf(content)) {
    throw refused(path, 'is damaged: its bytes differ from those that a mock wrote');
  }
  // The digest shows that a mock has written it, so its members need no check.
  const written = state as unknown as State;
  refuseOtherDecisions(path, written);
  return written;
}

/** Refuses unknown decisions, which a later release may have written. */
function refuseOtherDecisions(path: string, { accounts }: State): void {
  for (const { fixture } of accounts) {
    const [mistake] = wrongChanges(openingOf(fixture)?.decisions ?? {}, 'account');
    if (mistake) throw refused(path, `cannot be used: ${describeMistake(mistake)}`);
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, MOST_LEVELS_WRAPPED);
  } catch {
    return undefined;
  }
}

/** The end of a file, whose digest of all before shows that the file is undamaged. */
function endingOf(content: string): string {
  return `,"sha256":"${createHash('sha256').update(content).digest('hex')}"}\n`;
}

/** The JSON of the file, with a line for each account. */
function textOf(head: Omit<State, 'accounts'>, entries: readonly SavedEntry[]): string {
  const content = `${JSON.stringify(head).slice(0, -1)},"accounts":[${entries.map(lineOf)}\n]`;
  const text = content + endingOf(content);
  if (Buffer.byteLength(text) > MOST_BYTES) throw new RangeError();
  return text;
}

function lineOf(entry: SavedEntry): string {
  return `\n${JSON.stringify(entry)}`;
}

/** Throws if the file cannot be written. Removes unfinished files of servers that were killed. */
function prepareFile(path: string): void {
  const [folder, start] = [dirname(path), `.${basename(path)}.`];
  try {
    const tried = join(folder, `${start}tried`);
    writeWholeFile(tried, '', OWNER_ONLY);
    rmSync(tried);
    for (const name of readdirSync(folder)) {
      const isLeft = name.startsWith(start) && /^[\da-f-]{36}$/.test(name.slice(start.length));
      if (isLeft) rmSync(join(folder, name), { force: true });
    }
  } catch (error) {
    throw new OptionError(cannotWrite(path, error));
  }
}

function cannotWrite(path: string, error: unknown): string {
  // A text that no string can hold is a `RangeError`.
  const reason =
    error instanceof RangeError
      ? `it would have more than ${MOST_MB} MB, and could not be read again`
      : whyUnwritable(error);
  return `Cannot write the state file '${path}': ${reason}.`;
}

const ADVICE = 'Use another file, or delete this one.';

function refused(path: string, what: string, advice = ADVICE): OptionError {
  return new OptionError(`The state file '${path}' ${what}. ${advice}`);
}
