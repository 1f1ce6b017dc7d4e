import type { ResourceName, Resources } from '../../core/billing/resources.js';
import type { RecordChecks } from '../../core/datasets/fixture/schema-checks.js';
import { InvalidInputError, wrongId } from '../../core/errors/invalid-input.js';
import { tooDeep } from '../../core/errors/nesting-depth.js';
import { unknownRecord } from '../../core/errors/unknown-id.js';
import type { Collection } from '../../core/store/collection.js';
import { deepFreeze } from '../../core/store/freeze.js';
import { hexHash } from '../../core/store/hash.js';
import { isObject, membersOf } from '../../core/values/json-value.js';
import type { Clock } from './clock.js';

interface Identified {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * A record for a test to write, with its id. `createdAt` defaults to the account's current time,
 * and `updatedAt` to `createdAt`.
 *
 * @example
 * const input: RecordInput<Contract> = { id: 'k1', customerId: 'c1' };
 * account.contracts.put(input);
 */
export type RecordInput<T extends Identified> = Omit<T, 'createdAt' | 'updatedAt'> &
  Partial<Pick<T, 'createdAt' | 'updatedAt'>>;

/**
 * One collection of one account, for a test to arrange and inspect.
 *
 * @example
 * const contracts: Records<'contracts'> = server.account('my-token').contracts;
 * contracts.patch('65b000000000000000000001', { endDate: '2030-01-01T00:00:00.000Z' });
 */
export interface Records<Name extends ResourceName> {
  /** The record with this id, soft-deleted or not. */
  get(id: string): Resources[Name] | undefined;
  /** Every record, soft-deleted ones included. */
  list(): Resources[Name][];
  /**
   * Adds the record, or replaces the one with its id, and returns what is stored. Throws an
   * `InvalidInputError` with the first 20 mistakes if the record does not match its schema.
   */
  put(record: RecordInput<Resources[Name]>): Resources[Name];
  /** Like `put`, but generates the id if you leave it out. */
  add(record: Partial<Resources[Name]>): Resources[Name];
  /**
   * Changes members of a record as a JSON merge patch does (RFC 7396): `null` or undefined removes
   * a member. Throws an `UnknownIdError` if no record has this id.
   */
  patch(id: string, changes: object): Resources[Name];
  /** Removes the record without a tombstone; returns whether there was one. */
  remove(id: string): boolean;
}

interface EditorRules {
  /** Throws if accounts may not keep so many more changed records. */
  readonly admit: (more: number) => void;
  readonly noteChange: (id: string) => void;
}

export function createRecordEditor<Name extends ResourceName>(
  resource: Name,
  collection: Collection<Resources[Name]>,
  checks: RecordChecks,
  clock: Clock,
  { admit, noteChange }: EditorRules,
): Records<Name> {
  /** Generated records parse their ids, so anything but a string would throw. */
  function find(id: unknown): Resources[Name] | undefined {
    return typeof id === 'string' ? collection.get(id) : undefined;
  }

  function put(record: object): Resources[Name] {
    const { id } = membersOf(record);
    const mistakes = checks.record(resource, record);
    const wrong = wrongId(id);
    if (wrong) mistakes.unshift(wrong);
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    // The checks ensure this type, except for timestamps, which are set below.
    const given = record as Resources[Name];
    const createdAt = given.createdAt ?? clock.now().toISOString();
    const updatedAt = given.updatedAt ?? createdAt;
    const stored = deepFreeze({ ...structuredClone(given), createdAt, updatedAt });
    if (!collection.hasChanged(stored.id)) admit(1);
    collection.put(stored);
    noteChange(stored.id);
    return stored;
  }

  return {
    get: find,
    list: () => [...collection],
    put: (record) => put(objectOf(record)),
    add: (record) => put({ id: freeId(resource, collection), ...objectOf(record) }),
    patch(id, changes) {
      const record = find(id);
      if (!record) throw unknownRecord(id, resource);
      const patched = objectOf(mergePatch(record, objectOf(changes)));
      const { id: patchedId } = membersOf(patched);
      if (patchedId !== id) throw new InvalidInputError('id', `'${id}', unchanged`, patchedId);
      return put(patched);
    },
    remove(id) {
      const isRemoved = typeof id === 'string' && collection.remove(id);
      if (isRemoved) noteChange(id);
      return isRemoved;
    },
  };
}

function objectOf(value: unknown): object {
  const deep = tooDeep(value);
  if (deep.length > 0) throw new InvalidInputError(deep);
  if (isObject(value)) return value;
  throw new InvalidInputError([{ path: [], expected: 'an object', received: value }]);
}

/**
 * An unused id, derived from the number of records. Strides double, because as many ids in a row as
 * there are records may be taken.
 */
function freeId(resource: string, collection: Collection<Identified>): string {
  for (let stride = 1; ; stride *= 2) {
    const id = hexHash(24, 'added', resource, collection.size + stride - 1);
    if (!collection.get(id)) return id;
  }
}

/** RFC 7396, section 2. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged = new Map(Object.entries(typeof target === 'object' && target ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === undefined) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
