import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Dataset } from '../../../core/datasets/dataset.js';
import type { RecordChecks } from '../../../core/datasets/fixture/schema-checks.js';
import { OptionError } from '../../../core/errors/option-error.js';
import { whyUnwritable } from '../../../core/values/file-error.js';
import { isObject, membersOf } from '../../../core/values/json-value.js';
import { describeMistake } from '../../../core/values/mistake.js';
import { MAX_LEVELS_WRAPPED, parseJson } from '../../../core/values/parse-json.js';
import { count } from '../../../core/values/plural.js';
import { shown } from '../../../core/values/received-value.js';
import { isCalendarDay } from '../../../core/values/time.js';
import type { UnclaimedAccounts } from '../../../mock/accounts/account-registry.js';
import { wrongState } from '../../../mock/accounts/export-and-import.js';
import { readRegularFile } from '../files/read-regular-file.js';
import { writeWholeFile } from '../files/write-whole-file.js';
import type { ServerAccounts } from '../server-accounts.js';
import { changedIn, createSavedAccounts, type SavedEntry } from './saved-accounts.js';

const OWNER_ONLY = 0o600;

const SAVE_EVERY_MS = 5_000;

/** The number changes only if earlier releases cannot read the new format. */
const FORMAT = 1;

/** What a state file contains. */
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
  /** Throws an `OptionError` if the file is of another dataset, or has mistakes. */
  refuseOther(dataset: Dataset, checks: RecordChecks): void;
  /** How long changes may wait to be written. */
  readonly saveEveryMs: number;
  /** Writes the file if something has changed. */
  save(held: ServerAccounts): void;
}

/**
 * Reads the file, if it exists. Throws an `OptionError` if it is no state file, has another format,
 * or cannot be written.
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
    saveEveryMs: SAVE_EVERY_MS,
    refuseOther(dataset, checks) {
      const { fingerprint } = dataset;
      marks = [fingerprint, ...accounts];
      if (!read) return;
      if (read.dataset !== fingerprint) {
        throw refused(
          path,
          `was saved with the dataset ${shown(read.dataset)}; expected '${fingerprint}', the fingerprint of the dataset and seed in force`,
          'Start with the dataset and seed of the file, use another file, or delete this one.',
        );
      }
      refuseMistakes(path, accounts, dataset, checks);
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
  if (isObject(state) && 'format' in state && state.format !== FORMAT) {
    throw refused(path, `has the format ${shown(state.format)}; expected ${FORMAT}`);
  }
  if (isState(state)) return state;
  throw refused(
    path,
    'is damaged, or is not a state file; expected a file that an earlier mock wrote',
  );
}

function isState(value: unknown): value is State {
  const { format, dataset, today, salt, accounts } = membersOf(value);
  const isHead = format === FORMAT && [dataset, today, salt].every(isText);
  return (
    isHead && isCalendarDay(String(today)) && Array.isArray(accounts) && accounts.every(isEntry)
  );
}

function isEntry(value: unknown): boolean {
  const { token, dataset, name = '', fixture } = membersOf(value);
  return [token, dataset, name].every(isText) && isObject(fixture);
}

const isText = (value: unknown) => typeof value === 'string';

/** Those over other datasets are checked when their tokens come. */
function refuseMistakes(
  path: string,
  accounts: readonly SavedEntry[],
  dataset: Dataset,
  checks: RecordChecks,
): void {
  for (const [index, saved] of accounts.entries()) {
    if (saved.dataset !== dataset.fingerprint) continue;
    const [mistake] = wrongState(dataset, saved.fixture, checks);
    if (!mistake) continue;
    const place = ['accounts', String(index), 'fixture', ...mistake.path];
    const words = describeMistake({ ...mistake, path: place }).replace(/\.$/, '');
    throw refused(path, `cannot be used: ${words}`);
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, MAX_LEVELS_WRAPPED);
  } catch {
    return undefined;
  }
}

/** The JSON of the file, with a line for each account. */
function textOf(head: Omit<State, 'accounts'>, entries: readonly SavedEntry[]): string {
  return `${JSON.stringify(head).slice(0, -1)},"accounts":[${entries.map(lineOf)}\n]}\n`;
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
  return `Cannot write the state file '${path}': ${whyUnwritable(error)}.`;
}

const ADVICE = 'Use another file, or delete this one.';

function refused(path: string, what: string, advice = ADVICE): OptionError {
  return new OptionError(`The state file '${path}' ${what}. ${advice}`);
}
