import type { ResourceName, Resources } from '../billing/resources.js';
import { expectedId } from '../datasets/fixture/fixture-checks.js';
import type { RecordChecks } from '../datasets/fixture/record-checks.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { tooDeep } from '../errors/nesting.js';
import { UnknownIdError } from '../errors/unknown-id.js';
import { deepFreeze } from '../store/base.js';
import type { Collection } from '../store/collection.js';
import { hexHash } from '../store/hash.js';
import type { Clock } from './clock.js';

interface Identified {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * A record as a test gives it: with its id; stamps that are left out are the account's now.
 *
 * @example
 * const input: RecordInput<Contract> = { id: 'k1', customerId: 'c1' };
 * account.contracts.put(input);
 */
export type RecordInput<T extends Identified> = Omit<T, 'createdAt' | 'updatedAt'> &
  Partial<Pick<T, 'createdAt' | 'updatedAt'>>;

/**
 * The records of one collection of one account, as a test arranges and inspects them.
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
   * Adds the record, or replaces the one with its id, and returns it as it is kept. Refuses a
   * record that breaks its schema with a `TypeError` that names every mistake.
   */
  put(record: RecordInput<Resources[Name]>): Resources[Name];
  /** Adds a record as `put` does; an id that is left out is made. */
  add(record: Partial<Resources[Name]>): Resources[Name];
  /**
   * Changes members of a record as a JSON merge patch does (RFC 7396): `null` takes one away.
   * Throws an `UnknownIdError` if there is no such record.
   */
  patch(id: string, changes: object): Resources[Name];
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
  function put(record: object): Resources[Name] {
    const { id } = record as Partial<Identified>;
    const mistakes = checks.record(resource, record);
    const expected = expectedId(id);
    if (expected) mistakes.unshift({ path: ['id'], expected, received: id });
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    const given = record as Identified;
    const createdAt = given.createdAt ?? clock.now().toISOString();
    const updatedAt = given.updatedAt ?? createdAt;
    const kept = deepFreeze({ ...structuredClone(given), createdAt, updatedAt });
    collection.put(kept as Identified as Resources[Name]);
    return kept as Identified as Resources[Name];
  }

  return {
    get: (id) => collection.get(id),
    list: () => [...collection],
    put: (record) => put(objectOf(record)),
    add: (record) => put({ id: freeId(resource, collection), ...objectOf(record) }),
    patch(id, changes) {
      const record = collection.get(id);
      if (!record) throw new UnknownIdError(`There is no record '${id}' in ${resource}.`);
      const patched = mergePatch(record, objectOf(changes)) as Partial<Identified>;
      if (patched.id !== id) throw new InvalidInputError('id', `'${id}', unchanged`, patched.id);
      return put(patched);
    },
    remove: (id) => collection.remove(id),
  };
}

function objectOf(value: unknown): object {
  const deep = tooDeep(value);
  if (deep.length > 0) throw new InvalidInputError(deep);
  if (typeof value === 'object' && value !== null) return value;
  throw new InvalidInputError([{ path: [], expected: 'an object', received: value }]);
}

/**
 * An id that no record has: the one of the number of records, or one further on. Strides double,
 * for as many ids may be taken in a row as there are records.
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
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
