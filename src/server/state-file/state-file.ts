import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { UnclaimedAccounts } from '../../accounts/account-registry.js';
import { type Repeated, repeated } from '../../doors/unfaked-time.js';
import { OptionError } from '../../errors/option-error.js';
import { count } from '../../values/plural.js';
import { MOST_BYTES, MOST_MB } from '../read-regular-file.js';
import type { ServerAccounts } from '../server-accounts.js';
import { readState } from './read-state.js';
import { createSavedAccounts } from './saved-accounts.js';
import { type Content, hashToken, piecesOf } from './state-contents.js';
import { prepareFile, writeState } from './write-state.js';
import { captureAccount, hasChanged, statesIn } from './written-account.js';

const INTERVAL_MS = 5_000;

/** A file that keeps the changes in accounts from one server to the next. */
export interface StateFile {
  /** The accounts that were read, until their tokens are used. */
  readonly unclaimed: UnclaimedAccounts;
  /** Starts to write the file every five seconds if something has changed. */
  start(held: ServerAccounts): void;
  /** Writes the file if something has changed. */
  save(held: ServerAccounts): Promise<void>;
  /** Stops writing until the next start, but writes once more if something has changed. */
  stop(held: ServerAccounts): Promise<void>;
}

/**
 * Reads the file, if it exists. Throws an `OptionError` if it is damaged, has another format or
 * dataset, or cannot be written.
 */
export function openStateFile(path: string, fingerprint: string, logger: Logger): StateFile {
  const state = readState(path, fingerprint);
  prepare(path);
  const { salt = randomBytes(16).toString('hex'), accounts = [] } = state ?? {};
  const saved = createSavedAccounts((token) => hashToken(salt, token), accounts, logger);
  if (state) logger.info(`Read the state of ${count(accounts.length, 'account')} from ${path}.`);
  let saving: Repeated | undefined;
  let writing = Promise.resolve();
  let hasFailed = false;
  let marks = marksOf({ dataset: fingerprint, today: '', changed: [], unclaimed: saved.list() });

  async function write(held: ServerAccounts): Promise<void> {
    const { main, today } = held.datasets();
    const content = {
      ...{ dataset: main.fingerprint, today },
      changed: Array.from(held.accounts.entries(), ([token, account]) =>
        captureAccount(token, account),
      ).filter(hasChanged),
      unclaimed: saved.list(),
    };
    const now = marksOf(content);
    if (areSame(marks, now)) return;
    try {
      await writeState(path, piecesOf(content, salt), MOST_BYTES);
      marks = now;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) {
        logger.error(`${cannotWrite(path, error)} Changes are not saved until writing succeeds.`);
      }
      hasFailed = true;
    }
  }

  /** Starts a write when the earlier ones have ended, with the state at that time. */
  function save(held: ServerAccounts): Promise<void> {
    writing = writing.then(() => write(held));
    return writing;
  }

  return {
    unclaimed: saved,
    start(held) {
      saving ??= repeated(INTERVAL_MS, () => void save(held));
      saving.start();
    },
    stop(held) {
      saving?.stop();
      return save(held);
    },
    save,
  };
}

/** Values to compare by identity: some are replaced when an account or the dataset changes. */
function marksOf({ dataset, changed, unclaimed }: Content): readonly unknown[] {
  const states = changed.flatMap((one) => [one.token, ...statesIn(one)]);
  return [dataset, ...unclaimed, ...states];
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((mark, index) => mark === other[index]);
}

function prepare(path: string): void {
  try {
    prepareFile(path);
  } catch (error) {
    throw new OptionError(`${cannotWrite(path, error)} Check the folder, or use another path.`);
  }
}

function cannotWrite(path: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return `Cannot write the state file '${path}': ${REASONS[code] ?? message}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EACCES: 'permission denied in its folder',
  EROFS: 'its folder is read-only',
  ENOSPC: 'the disk is full',
  EFBIG: `it would have more than ${MOST_MB} MB, and could not be read again`,
};
