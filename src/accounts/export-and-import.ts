import { AccountStore, type Bases, type Collections } from '../billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from '../billing/resources.js';
import { completeRecord } from '../datasets/dataset.js';
import { wrongIdsIn } from '../datasets/fixture/fixture-checks.js';
import type { RecordChecks } from '../datasets/fixture/schema-checks.js';
import { firstMistakes } from '../errors/first-mistakes.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { areEqual } from '../store/are-equal.js';
import type { Collection } from '../store/collection.js';
import { frozenCopy } from '../store/freeze.js';
import type { Base } from '../store/shared-records.js';
import { membersOf } from '../values/json-value.js';
import type { AccountState } from './account-interface.js';
import { StateBudget } from './state-budget.js';

export function exportState(collections: Collections): AccountState {
  const lists = RESOURCE_NAMES.map((name) => [name, [...collections[name]]]);
  return Object.fromEntries(lists) as AccountState;
}

/**
 * Replaces all records of the store; a state with a mistake changes nothing. A record that equals
 * the dataset's takes no memory of its own, unless the state lacks more records of the dataset's
 * collection than it has unchanged.
 */
export function importState(store: AccountStore, state: AccountState, checks: RecordChecks): void {
  const mistakes = [
    ...checks.value('State', state),
    ...RESOURCE_NAMES.flatMap((name) => wrongIdsIn([name], membersOf(state)[name])),
  ];
  if (mistakes.length > 0) throw new InvalidInputError(firstMistakes(mistakes));
  // This budget only counts; the account's budget applies when the result replaces its store.
  const built = new AccountStore(store.bases, new StateBudget());
  for (const name of RESOURCE_NAMES) fillFrom(state, name, built, store.bases);
  store.replaceWith(built);
}

/** An `AccountState`, typed for code that is generic over collections. */
type WrittenRecords = { readonly [Name in ResourceName]?: readonly Partial<Resources[Name]>[] };

function fillFrom<Name extends ResourceName>(
  state: WrittenRecords,
  name: Name,
  built: Collections,
  bases: Bases,
): void {
  // By id, with ids and timestamps filled in.
  const records = new Map<string, Resources[Name]>();
  for (const [index, written] of (state[name] ?? []).entries()) {
    const record = completeRecord(name, written, 1, 0, index);
    records.set(record.id, record);
  }
  fill(built[name], bases[name], records);
}

function fill<T extends { readonly id: string }>(
  collection: Collection<T>,
  base: Base<T>,
  records: ReadonlyMap<string, T>,
): void {
  const others: T[] = [];
  let replaced = 0;
  for (const record of records.values()) {
    const unchanged = base.get(record.id);
    if (unchanged && areEqual(unchanged, record)) continue;
    if (unchanged) replaced += 1;
    others.push(record);
  }
  const unchangedCount = records.size - others.length;
  const isCheaperToRebuild = base.size - unchangedCount - replaced > unchangedCount;
  if (isCheaperToRebuild) collection.clear();
  else for (const { id } of base) if (!records.has(id)) collection.remove(id);
  for (const record of isCheaperToRebuild ? records.values() : others) {
    collection.put(frozenCopy(record));
  }
}
