import { deepFreeze } from '../billing/base.js';
import type { Collection } from '../billing/collection.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from '../billing/resources.js';
import type { Store } from '../billing/store.js';
import type { Fixture } from '../dataset/fixture.js';
import { wrongIds } from '../dataset/fixture-checks.js';
import type { RecordChecks } from '../dataset/record-checks.js';
import { recordsOf } from '../dataset/records-of.js';
import { InvalidInputError } from './invalid-input.js';

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
 * Puts these records in the place of all that the store has. Refuses a state with a mistake as a
 * whole. What the dataset has alike stays the dataset's, so that a state costs its changes only.
 */
export function importState(store: Store, state: AccountState, checks: RecordChecks): void {
  const mistakes = [...checks.value('State', state), ...wrongIds(state)];
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
  for (const name of RESOURCE_NAMES) {
    replaceAll(store[name] as Collection<Resources[ResourceName]>, recordsOf(name, [state], 1));
  }
}

function replaceAll<T extends { readonly id: string }>(
  collection: Collection<T>,
  records: readonly T[],
): void {
  collection.restore(new Map());
  const ids = new Set(records.map(({ id }) => id));
  for (const { id } of [...collection]) if (!ids.has(id)) collection.remove(id);
  for (const record of records) {
    if (!isAlike(collection.get(record.id), record)) collection.put(deepFreeze(record));
  }
}

function isAlike(one: object | undefined, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
