import { createHmac, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Dataset } from '../../../core/datasets/dataset.js';
import type { RecordChecks } from '../../../core/datasets/fixture/schema-checks.js';
import type { Datasets } from '../../../core/datasets/read-datasets.js';
import { OptionError } from '../../../core/errors/option-error.js';
import { whyUnwritable } from '../../../core/values/file-error.js';
import { describeMistake } from '../../../core/values/mistake.js';
import { count } from '../../../core/values/plural.js';
import { shown } from '../../../core/values/received-value.js';
import type { UnclaimedAccounts } from '../../../mock/accounts/account-registry.js';
import { basesOf, wrongState } from '../../../mock/accounts/export-and-import.js';
import { elapsedMs } from '../../adapters/unfaked-time.js';
import { readRegularFile } from '../files/read-regular-file.js';
import { writeWholeFile } from '../files/write-whole-file.js';
import type { ServerAccounts } from '../server-accounts.js';
import { createStateLock, STALE_MS, type StateLock } from './lock-state-file.js';
import { createSavedAccounts, parseState, type SavedState } from './saved-accounts.js';

const OWNER_ONLY = 0o600;

const SAVE_EVERY_MS = 5_000;

/** A state file that this mock has locked and read, if it exists. */
export interface OpenStateFile {
  /** The day from which the dataset's relative dates were counted. */
  readonly today: string | undefined;
  /** Rejects with an `OptionError` if the file is of another dataset, or has mistakes. */
  over(datasets: Datasets, checks: RecordChecks): Promise<StateFile>;
  /** Lets another mock use the file. This one takes it again when it next saves. */
  release(): void;
}

/** A file that keeps the changes in accounts from one server to the next. */
interface StateFile {
  /** The accounts that were read, until their tokens are used. */
  readonly unclaimed: UnclaimedAccounts;
  /** How long changes may wait to be written. */
  readonly saveEveryMs: number;
  /** Writes the file if something has changed, unless another mock writes it now. */
  save(serverAccounts: ServerAccounts): void;
  /** Saves, and lets another mock use the file. */
  close(serverAccounts: ServerAccounts): void;
  /** Saves, and leaves the file for a while to the mock that replaces this one. */
  handOver(serverAccounts: ServerAccounts): void;
}

/**
 * Reads the file, if it exists. Throws an `OptionError` if another mock uses it, if it is no state
 * file, has another format or too many accounts, or cannot be written.
 */
export function openStateFile(path: string, maxAccounts: number, logger: Logger): OpenStateFile {
  const lock = createStateLock(path);
  refuseInUse(path, lock);
  const read = orReleased(lock, () => readState(path, maxAccounts));
  return {
    today: read?.today,
    async over(datasets, checks) {
      const { main: dataset } = datasets;
      if (read) {
        refuseOther(path, read, dataset);
        await refuseMistakes(path, read, datasets, checks);
        logger.info(`Read the state of ${count(read.accounts.length, 'account')} from ${path}.`);
      }
      const { salt = randomBytes(16).toString('hex'), accounts = [] } = read ?? {};
      const saved = createSavedAccounts({
        read: { dataset: dataset.fingerprint, salt, accounts },
        // Salted, so that the file does not reveal the token.
        hashToken: (token) => createHmac('sha256', salt).update(token).digest('hex'),
        logger,
        write: (text) => writeWholeFile(path, text, OWNER_ONLY, unfinished(path)),
      });
      return { unclaimed: saved.unclaimed, ...keepSaving(path, lock, saved.save, logger) };
    },
    release: lock.release,
  };
}

function keepSaving(
  path: string,
  lock: StateLock,
  saveChanges: (serverAccounts: ServerAccounts) => void,
  logger: Logger,
): Omit<StateFile, 'unclaimed'> {
  let hasFailed = false;
  let handedOverAtMs = Number.NEGATIVE_INFINITY;

  function fail(sentence: string): void {
    if (!hasFailed) logger.error(sentence);
    hasFailed = true;
  }

  function save(serverAccounts: ServerAccounts): void {
    if (elapsedMs() - handedOverAtMs < STALE_MS) return;
    try {
      if (lock.hold()) {
        saveChanges(serverAccounts);
        hasFailed = false;
      } else {
        fail(`${inUse(path, lock)} Changes in this one are not saved.`);
      }
    } catch (error) {
      fail(`${cannotWrite(path, error)} Changes are not saved until writing succeeds.`);
    }
  }

  function close(serverAccounts: ServerAccounts): void {
    save(serverAccounts);
    lock.release();
  }

  return {
    saveEveryMs: SAVE_EVERY_MS,
    save,
    close,
    handOver(serverAccounts) {
      close(serverAccounts);
      handedOverAtMs = elapsedMs();
    },
  };
}

function refuseInUse(path: string, lock: StateLock): void {
  let isHeld: boolean;
  try {
    isHeld = lock.hold();
  } catch (error) {
    throw new OptionError(cannotWrite(path, error));
  }
  if (isHeld) return;
  throw new OptionError(
    `${inUse(path, lock)} Stop that mock, or use another file. If it was killed, wait 15 seconds.`,
  );
}

function orReleased<Result>(lock: StateLock, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Undefined if there is no file. Throws an `OptionError` if it cannot be used. */
function readState(path: string, maxAccounts: number): SavedState | undefined {
  // Left by a mock that was killed.
  rmSync(unfinished(path), { force: true });
  const text = readText(path);
  if (text === undefined) return undefined;
  const state = parsedState(path, text);
  const { length } = state.accounts;
  if (length <= maxAccounts) return state;
  throw refused(
    path,
    `has the state of ${count(length, 'account')}; expected at most ${maxAccounts} (--max-accounts, maxAccounts in the library)`,
    'Raise that limit, use another file, or delete this one.',
  );
}

function readText(path: string): string | undefined {
  try {
    return readRegularFile(path, { followsLinks: false }).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OptionError(`The state file '${path}' cannot be read: ${whyUnwritable(error)}.`);
  }
}

function parsedState(path: string, text: string): SavedState {
  try {
    return parseState(text);
  } catch (error) {
    throw refused(path, `cannot be used: ${(error as Error).message}`);
  }
}

function refuseOther(path: string, read: SavedState, { fingerprint }: Dataset): void {
  if (read.dataset === fingerprint) return;
  throw refused(
    path,
    `was saved with the dataset ${shown(read.dataset)}; expected '${fingerprint}', the fingerprint of the dataset and seed in force`,
    'Start with the dataset and seed of the file, use another file, or delete this one.',
  );
}

/** Those over other datasets are checked when their tokens come. */
async function refuseMistakes(
  path: string,
  { accounts }: SavedState,
  { main, shipped }: Datasets,
  checks: RecordChecks,
): Promise<void> {
  for (const [index, saved] of accounts.entries()) {
    const bases = await basesOf(main, saved.fixture, shipped);
    if (saved.dataset !== main.fingerprint) continue;
    const [mistake] = wrongState(bases, saved.fixture, checks);
    if (!mistake) continue;
    const place = ['accounts', String(index), 'fixture', ...mistake.path];
    const words = describeMistake({ ...mistake, path: place }).replace(/\.$/, '');
    throw refused(path, `cannot be used: ${words}`);
  }
}

const unfinished = (path: string) => `${path}.unfinished`;

function inUse(path: string, lock: StateLock): string {
  return `The state file '${path}' is in use by another mock, ${lock.holder()}.`;
}

function cannotWrite(path: string, error: unknown): string {
  return `Cannot write the state file '${path}': ${whyUnwritable(error)}.`;
}

const ADVICE = 'Use another file, or delete this one.';

function refused(path: string, what: string, advice = ADVICE): OptionError {
  return new OptionError(`The state file '${path}' ${what}. ${advice}`);
}
