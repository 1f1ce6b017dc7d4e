import type { Account } from '../../accounts/account.js';
import { KEPT_PARTS, type SavedAccount } from '../../accounts/snapshots.js';
import { StateBudget } from '../../accounts/state-budget.js';
import { AccountStore, type Bases, type Collections } from '../../billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from '../../billing/resources.js';
import type { DecisionChanges, GivenChanges } from '../../decisions/decision-changes.js';
import type { DecisionId } from '../../decisions/ledger.js';
import { type DecisionState, switchDecisions } from '../../decisions/switch-decisions.js';
import type { WrittenChange } from '../../store/changes.js';
import { deepFreeze } from '../../store/freeze.js';

/** A part that JSON can write unchanged. */
type PlainPart = Exclude<keyof SavedAccount, 'store' | 'decisions'>;

const PLAIN_PARTS = KEPT_PARTS.filter((name) => name !== 'decisions');

/** What an account and its scenario have changed, as JSON. */
export interface WrittenAccount extends Partial<Pick<SavedAccount, PlainPart>> {
  /** A salted hash of the token; in a tab, the token itself. */
  readonly token: string;
  /** The fingerprint of the dataset that was changed. */
  readonly dataset: string;
  /** The name that a test gave the account. */
  readonly name?: string | undefined;
  readonly decisions?: DecisionChanges;
  readonly records: { readonly [Name in ResourceName]?: WrittenRecords<Resources[Name]> };
}

interface WrittenRecords<T> {
  /** True if all records of the dataset were removed before the changes. */
  readonly cleared: boolean;
  readonly changes: readonly WrittenChange<T>[];
}

/** The state of an account at one moment, and its states at its opening. */
export interface CapturedAccount {
  readonly token: string;
  readonly name: string | undefined;
  readonly bases: Bases;
  readonly opened: SavedAccount;
  /** The state in which it would have opened without a scenario. */
  readonly plain: SavedAccount;
  readonly saved: SavedAccount;
}

/** Captures the state of an account; later changes do not affect it. */
export function captureAccount(token: string, account: Account): CapturedAccount {
  const { opened, owner, plain, store } = account;
  return {
    token,
    name: owner.snapshot(),
    bases: store.bases,
    opened,
    plain,
    saved: account.save(),
  };
}

/** The states of an account's parts; each is a new object as soon as its part changes. */
export function statesIn({ name, saved }: CapturedAccount): unknown[] {
  return [name, ...savedStatesIn(saved)];
}

function savedStatesIn({ store, decisions, ...plain }: SavedAccount): unknown[] {
  return [
    ...RESOURCE_NAMES.map((name) => store[name]),
    ...PLAIN_PARTS.map((name) => plain[name]),
    decisions,
  ];
}

export function hasChanged({ name, opened, saved }: CapturedAccount): boolean {
  const before = savedStatesIn(opened);
  return name !== undefined || savedStatesIn(saved).some((state, index) => state !== before[index]);
}

/** The JSON of a captured account, in pieces; a scenario's effects are written like changes. */
export function* writeAccount(captured: CapturedAccount, hash: string): Iterable<string> {
  const { bases, name, plain, saved } = captured;
  const changed = PLAIN_PARTS.filter((name) => saved[name] !== plain[name]);
  const members = {
    token: hash,
    dataset: bases.fingerprint,
    name,
    ...Object.fromEntries(changed.map((name) => [name, saved[name]])),
    decisions: switchesOf(plain.decisions, saved.decisions),
  };
  yield `${JSON.stringify(members).slice(0, -1)},"records":{`;
  let comma = '';
  for (const name of RESOURCE_NAMES) {
    const changes = saved.store[name];
    if (changes === undefined) continue;
    const cleared = changes.base !== bases[name];
    yield `${comma}"${name}":{"cleared":${cleared},"changes":[`;
    comma = '';
    for (const change of changes.written()) {
      yield comma + JSON.stringify(change);
      comma = ',';
    }
    comma = ',';
    yield ']}';
  }
  yield '}}';
}

/** The decisions that the account or its scenario has switched, and where they were seen. */
function switchesOf(plain: DecisionState, saved: DecisionState): GivenChanges {
  const ids = Object.keys(saved.inForce) as DecisionId[];
  const switched = ids.filter(
    (id) => saved.inForce[id] !== plain.inForce[id] || saved.seen[id] !== plain.seen[id],
  );
  return Object.fromEntries(
    switched.map((id) => {
      const [value, seen] = [saved.inForce[id], saved.seen[id]];
      return [id, seen ? { value, seen } : value];
    }),
  );
}

/**
 * Restores a written account over the same dataset into one that was just opened, in place of its
 * scenario. The limit on state is not checked: it has counted saved accounts since the start.
 */
export function restoreAccount(account: Account, written: WrittenAccount): void {
  const { owner, plain, store } = account;
  owner.restore(written.name);
  // Without a limit: the account's own budget could refuse saved records.
  const built = new AccountStore(store.bases, new StateBudget());
  for (const name of RESOURCE_NAMES) applyRecords(built, name, written.records);
  store.restore(built.snapshot());
  account.faults.restore(written.faults ?? plain.faults);
  account.stubs.restore(deepFreeze(written.stubs ?? plain.stubs));
  account.clock.restore(written.clock ?? plain.clock);
  account.latency.restore(written.latency ?? plain.latency);
  account.decisions.restore(switchDecisions(plain.decisions, written.decisions ?? {}));
}

function applyRecords<Name extends ResourceName>(
  collections: Collections,
  name: Name,
  records: { readonly [Other in Name]?: WrittenRecords<Resources[Other]> },
): void {
  const collection = collections[name];
  const { cleared = false, changes = [] } = records[name] ?? {};
  if (cleared) collection.clear();
  for (const change of changes) collection.apply(change);
}
