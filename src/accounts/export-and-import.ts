import { AccountStore, type Bases, type Collections } from '../billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from '../billing/resources.js';
import { completeRecord } from '../datasets/dataset.js';
import { wrongIdsIn } from '../datasets/fixture/fixture-checks.js';
import type { RecordChecks } from '../datasets/fixture/schema-checks.js';
import { MOST_ERRORS } from '../errors/first-mistakes.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { areEqual } from '../store/are-equal.js';
import type { Collection } from '../store/collection.js';
import { frozenCopy } from '../store/freeze.js';
import type { Base } from '../store/shared-records.js';
import { inSteps, type Steps } from '../store/work-in-steps.js';
import { isObject, membersOf } from '../values/json-value.js';
import type { Mistake } from '../values/mistake.js';
import type { AccountState } from './account-interface.js';
import { StateBudget } from './state-budget.js';

export function exportState(collections: Collections): AccountState {
  const lists = RESOURCE_NAMES.map((name) => [name, [...collections[name]]]);
  return Object.fromEntries(lists) as AccountState;
}

/**
 * Replaces all records of the store in the last step, so that a state with a mistake changes
 * nothing. A record that equals the dataset's takes no memory of its own, unless the state lacks
 * more records of the dataset's collection than it has unchanged.
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

function* building(bases: Bases, state: AccountState): Steps<AccountStore> {
  // This budget only counts; the account's budget applies when the result replaces its store.
  const built = new AccountStore(bases, new StateBudget());
  for (const name of RESOURCE_NAMES) yield* fillingFrom(state, name, built, bases);
  return built;
}

/** An `AccountState`, typed for code that is generic over collections. */
type WrittenRecords = { readonly [Name in ResourceName]?: readonly Partial<Resources[Name]>[] };

function* fillingFrom<Name extends ResourceName>(
  state: WrittenRecords,
  name: Name,
  built: Collections,
  bases: Bases,
): Steps<void> {
  // By id, with ids and timestamps filled in.
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
    if (unchanged && areEqual(unchanged, record)) return;
    if (unchanged) replaced += 1;
    others.push(record);
  });
  const unchangedCount = records.size - others.length;
  const isCheaperToRebuild = base.size - unchangedCount - replaced > unchangedCount;
  if (isCheaperToRebuild) collection.clear();
  else {
    yield* inSteps(base, ({ id }) => {
      if (!records.has(id)) collection.remove(id);
    });
  }
  yield* inSteps(isCheaperToRebuild ? records.values() : others, (record) => {
    collection.put(frozenCopy(record));
  });
}

const RECORDS_A_CHECK = 100;

/** Stops once there are more mistakes than an error lists. */
function* checkingState(state: unknown, checks: RecordChecks): Steps<Mistake[]> {
  const mistakes = checks.value('State', withEmptyLists(state));
  for (const name of RESOURCE_NAMES) {
    const list = membersOf(state)[name];
    if (!Array.isArray(list)) continue;
    const ids = new Set<string>();
    const idMistakes: Mistake[] = [];
    for (let start = 0; start < list.length; start += RECORDS_A_CHECK) {
      if (mistakes.length > MOST_ERRORS) return mistakes;
      const some = list.slice(start, start + RECORDS_A_CHECK);
      const place = (mistake: Mistake) => moved(mistake, start);
      mistakes.push(...checks.value('State', { [name]: some }).map(place));
      if (idMistakes.length <= MOST_ERRORS)
        idMistakes.push(...wrongIdsIn([name], some, ids).map(place));
      yield;
    }
    mistakes.push(...idMistakes);
  }
  return mistakes;
}

/** The state without its records, which are checked in steps. */
function withEmptyLists(state: unknown): unknown {
  if (!isObject(state)) return state;
  const members = Object.entries(state);
  return Object.fromEntries(
    members.map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );
}

/** Turns an index within a slice that starts at `start` into one within the whole list. */
function moved({ path: [name = '', index, ...rest], ...mistake }: Mistake, start: number): Mistake {
  const place = index === undefined ? [] : [String(Number(index) + start)];
  return { ...mistake, path: [name, ...place, ...rest] };
}
