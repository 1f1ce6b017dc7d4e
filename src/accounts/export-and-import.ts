import { AccountStore, type Bases, type Collections } from '../billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from '../billing/resources.js';
import { completeRecord } from '../datasets/dataset.js';
import { wrongIdsIn } from '../datasets/fixture/fixture-checks.js';
import type { RecordChecks } from '../datasets/fixture/schema-checks.js';
import { InvalidInputError, MOST_ERRORS } from '../errors/invalid-input.js';
import type { Collection } from '../store/collection.js';
import { frozenCopy } from '../store/freeze.js';
import type { Base } from '../store/shared-records.js';
import { inSteps, type Steps } from '../store/work-in-steps.js';
import { isObject, membersOf } from '../values/json-value.js';
import type { Mistake } from '../values/mistake.js';
import type { AccountState } from './account-control.js';
import { StateBudget } from './state-budget.js';

/** Every record of the collections, tombstones included. */
export function exportState(collections: Collections): AccountState {
  const lists = RESOURCE_NAMES.map((name) => [name, [...collections[name]]]);
  return Object.fromEntries(lists) as AccountState;
}

/**
 * Replaces all records of the store by these, in the last step and not before: a state with a
 * mistake is refused as a whole. A record that the dataset has too stays the dataset's, so that a
 * state costs its changes only.
 */
export function* importingState(
  store: AccountStore,
  state: AccountState,
  checks: RecordChecks,
): Steps<void> {
  const mistakes = yield* checkingState(state, checks);
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
  for (;;) {
    const built = yield* building(store.bases, state);
    // The dataset may have been reloaded meanwhile, or the account closed.
    if (built.bases === store.bases) return store.replaceWith(built);
  }
}

/** A store over the dataset that contains these records and no others. */
function* building(bases: Bases, state: AccountState): Steps<AccountStore> {
  // Bounded when it replaces the account's; until then its budget only counts.
  const built = new AccountStore(bases, new StateBudget());
  for (const name of RESOURCE_NAMES) yield* fillingFrom(state, name, built, bases);
  return built;
}

/** A state as its type follows the name of a collection. */
type WrittenRecords = { readonly [Name in ResourceName]?: readonly Partial<Resources[Name]>[] };

function* fillingFrom<Name extends ResourceName>(
  state: WrittenRecords,
  name: Name,
  built: Collections,
  bases: Bases,
): Steps<void> {
  // With an id and both stamps, by id.
  const records = new Map<string, Resources[Name]>();
  yield* inSteps((state[name] ?? []).entries(), ([index, written]) => {
    const record = completeRecord(name, written, 1, 0, index);
    records.set(record.id, record);
  });
  yield* filling(built[name], bases[name], records);
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
    if (unchanged && JSON.stringify(unchanged) === JSON.stringify(record)) return;
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

const RECORDS_A_CHECK = 100;

/** The mistakes of a state, at least one more than are listed if there are so many; none if it is valid. */
function* checkingState(state: unknown, checks: RecordChecks): Steps<Mistake[]> {
  const mistakes = checks.value('State', withEmptyLists(state));
  for (const name of RESOURCE_NAMES) {
    const list = membersOf(state)[name];
    if (!Array.isArray(list)) continue;
    const ids = new Set<string>();
    const ofIds: Mistake[] = [];
    for (let start = 0; start < list.length; start += RECORDS_A_CHECK) {
      if (mistakes.length > MOST_ERRORS) return mistakes;
      const some = list.slice(start, start + RECORDS_A_CHECK);
      const place = (mistake: Mistake) => moved(mistake, start);
      mistakes.push(...checks.value('State', { [name]: some }).map(place));
      if (ofIds.length <= MOST_ERRORS) ofIds.push(...wrongIdsIn([name], some, ids).map(place));
      yield;
    }
    mistakes.push(...ofIds);
  }
  return mistakes;
}

/** The state without its records. */
function withEmptyLists(state: unknown): unknown {
  if (!isObject(state)) return state;
  const members = Object.entries(state);
  return Object.fromEntries(
    members.map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );
}

/** The mistake with its place in the whole list. */
function moved({ path: [name = '', index, ...rest], ...mistake }: Mistake, start: number): Mistake {
  const place = index === undefined ? [] : [String(Number(index) + start)];
  return { ...mistake, path: [name, ...place, ...rest] };
}
