import { Store } from '../billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from '../billing/resources.js';
import { StateBudget } from '../billing/state-budget.js';
import type { Fixture } from '../datasets/fixture/fixture.js';
import type { RecordChecks } from '../datasets/fixture/record-checks.js';
import { completeRecord } from '../datasets/fixture/records-of.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { type Base, frozenCopy } from '../store/base.js';
import type { Collection } from '../store/collection.js';
import { inSteps, type Steps } from '../store/steps.js';
import { checkingState } from './check-state.js';

/**
 * The records of an account in the format of fixtures.
 *
 * @example
 * const state: AccountState = account.exportState();
 * server.account('another-token').importState(state);
 */
export type AccountState = Pick<Fixture, ResourceName>;

/** Every record of the store, tombstones included. */
export function exportState(store: Store): AccountState {
  return Object.fromEntries(RESOURCE_NAMES.map((name) => [name, [...store[name]]]));
}

/**
 * Puts these records in the place of all that the store has, in the last step and not before: a
 * state with a mistake is refused as a whole. What the dataset has alike stays the dataset's, so
 * that a state costs its changes only.
 */
export function* importingState(
  store: Store,
  state: AccountState,
  checks: RecordChecks,
): Steps<void> {
  const mistakes = yield* checkingState(state, checks);
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
  for (;;) {
    const built = yield* building(store, state);
    // The dataset may have been read again meanwhile, or the account closed.
    if (built.bases === store.bases) return store.replaceBy(built);
  }
}

/** A store over the same dataset that has these records and no others. */
function* building({ bases }: Store, state: AccountState): Steps<Store> {
  const built = new Store(bases, new StateBudget());
  for (const name of RESOURCE_NAMES) {
    yield* filling(
      built[name] as Collection<Resources[ResourceName]>,
      bases[name],
      yield* completing(name, state),
    );
  }
  return built;
}

/** The records of a state with an id and both stamps. Of several with one id, the last stands. */
function* completing<Name extends ResourceName>(
  name: Name,
  state: AccountState,
): Steps<Map<string, Resources[Name]>> {
  const records = new Map<string, Resources[Name]>();
  yield* inSteps((state[name] ?? []).entries(), ([index, written]) => {
    const record = completeRecord(name, written as Partial<Resources[Name]>, 1, 0, index);
    records.set(record.id, record);
  });
  return records;
}

function* filling<T extends { readonly id: string }>(
  collection: Collection<T>,
  base: Base<T>,
  records: ReadonlyMap<string, T>,
): Steps<void> {
  const others: T[] = [];
  let replaced = 0;
  yield* inSteps(records.values(), (record) => {
    const unchanged = base.get(record.id);
    if (isAlike(unchanged, record)) return;
    if (unchanged) replaced += 1;
    others.push(record);
  });
  const alike = records.size - others.length;
  const isCheaperAnew = base.size - alike - replaced > alike;
  if (isCheaperAnew) collection.clear();
  else {
    yield* inSteps(base, ({ id }) => {
      if (!records.has(id)) collection.remove(id);
    });
  }
  yield* inSteps(isCheaperAnew ? records.values() : others, (record) => {
    collection.put(frozenCopy(record));
  });
}

function isAlike(one: object | undefined, other: object): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}
