import type { Logger } from 'pino';
import { isObject, membersOf } from '../../../core/values/json-value.js';
import { MAX_LEVELS_WRAPPED, parseJson } from '../../../core/values/parse-json.js';
import { shown } from '../../../core/values/received-value.js';
import { isCalendarDay } from '../../../core/values/time.js';
import type { AccountFixture } from '../../../mock/accounts/account-fixture.js';
import type { Accounts, UnclaimedAccounts } from '../../../mock/accounts/account-registry.js';
import { areSame, statesOf } from '../../../mock/accounts/snapshots.js';
import type { ServerAccounts } from '../server-accounts.js';

/** The number changes only if earlier releases cannot read the new format. */
const FORMAT = 1;

/** What outlives a mock, as JSON. */
export interface SavedState {
  readonly format: typeof FORMAT;
  /** The fingerprint of the server's dataset. */
  readonly dataset: string;
  /** The day from which the dataset's relative dates are counted. */
  readonly today: string;
  /** The salt of the tokens' hashes. */
  readonly salt: string;
  readonly accounts: readonly SavedEntry[];
}

/** An account that outlives its mock. */
interface SavedEntry {
  /** A salted hash of the token; in a tab, the token itself. */
  readonly token: string;
  /** The fingerprint of the dataset that was changed. */
  readonly dataset: string;
  /** The name that a test gave the account. */
  readonly name?: string | undefined;
  readonly fixture: AccountFixture;
}

/** Throws an error that says what is wrong, without a final full stop. */
export function parseState(text: string): SavedState {
  const state = parsed(text);
  if (isObject(state) && 'format' in state && state.format !== FORMAT)
    throw new Error(`it has the format ${shown(state.format)}; expected ${FORMAT}`);
  if (isState(state)) return state;
  throw new Error('it is damaged, or no saved state; expected what an earlier mock wrote');
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, MAX_LEVELS_WRAPPED);
  } catch {
    return undefined;
  }
}

function isState(value: unknown): value is SavedState {
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

/** What was read, how tokens are saved, and where to write. */
interface StateParts {
  readonly read: Pick<SavedState, 'dataset' | 'salt' | 'accounts'>;
  readonly hashToken: (token: string) => string;
  readonly logger: Logger;
  /** Receives the JSON, which has a line for each account. */
  readonly write: (text: string) => void;
}

export interface SavedAccounts {
  /** The accounts that were read, until their tokens are used. */
  readonly unclaimed: UnclaimedAccounts;
  /** Writes the accounts that have changed or were read, if anything has changed since. */
  save(serverAccounts: ServerAccounts): void;
}

const DROPPED =
  'Dropped saved accounts whose tokens have not been used since the start, oldest first: with the open accounts, there were more than --max-accounts (maxAccounts in the library). More can follow. Raise that limit to keep them.';

export function createSavedAccounts({ read, hashToken, logger, write }: StateParts): SavedAccounts {
  const unclaimed = new Map(read.accounts.map((entry) => [entry.token, entry]));
  /** Values to compare by identity: some are replaced when an account or the dataset changes. */
  let marks: readonly unknown[] = [read.dataset, ...read.accounts];
  let hasWarned = false;
  return {
    unclaimed: {
      has: (token) => unclaimed.has(hashToken(token)),
      claim(token, account) {
        const saved = unclaimed.get(hashToken(token));
        if (saved === undefined) return;
        if (saved.dataset === account.store.bases.fingerprint) {
          account.importState(saved.fixture);
          if (saved.name !== undefined) account.setName(saved.name);
        } else {
          logger.warn('Dropped the saved state of an account: its token now has another dataset.');
        }
        unclaimed.delete(saved.token);
      },
      drop: (token) => unclaimed.delete(hashToken(token)),
      dropAll: () => unclaimed.clear(),
      keepAtMost(most) {
        if (unclaimed.size <= most) return;
        const dropped = [...unclaimed.keys()].slice(0, unclaimed.size - most);
        for (const token of dropped) unclaimed.delete(token);
        if (!hasWarned) logger.warn(DROPPED);
        hasWarned = true;
      },
    },
    save({ accounts, datasets }) {
      const { main, today } = datasets();
      const [changed, others] = [changedIn(accounts), [...unclaimed.values()]];
      const now = [main.fingerprint, ...others, ...changed.flatMap((one) => one.marks)];
      if (now.length === marks.length && now.every((mark, at) => mark === marks[at])) return;
      const head = { format: FORMAT, dataset: main.fingerprint, today, salt: read.salt };
      const lines = [...others, ...changed.map((one) => one.entry(hashToken))].map(lineOf);
      write(`${JSON.stringify(head).slice(0, -1)},"accounts":[${lines}\n]}\n`);
      marks = now;
    },
  };
}

function lineOf(entry: SavedEntry): string {
  return `\n${JSON.stringify(entry)}`;
}

/** An account that has changed, as it is at one moment. */
interface ChangedAccount {
  /** Values to compare by identity: some are replaced when the account changes. */
  readonly marks: readonly unknown[];
  /** Makes the entry, with the form of the token that is saved, before anything changes. */
  entry(hashToken: (token: string) => string): SavedEntry;
}

/** The accounts that have changed since they opened. */
function changedIn(accounts: Accounts): ChangedAccount[] {
  return [...accounts.entries].flatMap(([token, account]) => {
    const name = account.owner.snapshot();
    const saved = account.save();
    if (name === undefined && areSame(saved, account.opened)) return [];
    const { fingerprint: dataset } = account.opened.store.bases;
    return {
      marks: [token, name, ...statesOf(saved)],
      entry: (hashToken) => {
        const fixture = account.fixture({ keepNames: true });
        return { token: hashToken(token), dataset, name, fixture };
      },
    };
  });
}
