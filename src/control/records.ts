import { deepFreeze } from '../billing/base.js';
import type { Collection } from '../billing/collection.js';
import type { ResourceName, Resources } from '../billing/resources.js';
import { describeMistake } from '../dataset/mistake.js';
import type { RecordChecks } from '../dataset/record-checks.js';
import type { Clock } from './clock.js';

/** A record as a test gives it: with its id; stamps that are left out are the account's now. */
export type RecordInput<T extends { id: string; createdAt: string; updatedAt: string }> = Omit<
  T,
  'createdAt' | 'updatedAt'
> &
  Partial<Pick<T, 'createdAt' | 'updatedAt'>>;

/** The records of one collection of one account, as a test arranges and inspects them. */
export interface Records<Name extends ResourceName> {
  /** The record with this id, soft-deleted or not. */
  get(id: string): Resources[Name] | undefined;
  /** Every record, soft-deleted ones included. */
  list(): Resources[Name][];
  /**
   * Adds the record, or replaces the one with its id, and returns it as it is kept. Refuses a
   * record that breaks its schema with a `TypeError` that names every mistake.
   */
  put(record: RecordInput<Resources[Name]>): Resources[Name];
  /** Takes the record away without a tombstone; says whether there was one. */
  remove(id: string): boolean;
}

/** The door to one collection of an account. */
export function createRecords<Name extends ResourceName>(
  resource: Name,
  collection: Collection<Resources[Name]>,
  checks: RecordChecks,
  clock: Clock,
): Records<Name> {
  return {
    get: (id) => collection.get(id),
    list: () => [...collection],
    put(record) {
      const mistakes = checks.record(resource, record);
      if (!record?.id || mistakes.length > 0) {
        const idMistake = { path: ['id'], expected: 'a text', received: record?.id };
        const all = record?.id ? mistakes : [idMistake, ...mistakes];
        throw new TypeError(
          `This is no record for ${resource}. ${all.map(describeMistake).join(' ')}`,
        );
      }
      const createdAt = record.createdAt ?? clock.now().toISOString();
      const updatedAt = record.updatedAt ?? createdAt;
      const kept = deepFreeze({ ...structuredClone(record), createdAt, updatedAt });
      collection.put(kept as unknown as Resources[Name]);
      return kept as unknown as Resources[Name];
    },
    remove: (id) => collection.remove(id),
  };
}
