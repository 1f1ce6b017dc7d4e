import type { RecordInput, Records } from '../accounts/records.js';
import type { ResourceName, Resources } from '../billing/resources.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { unknownRecord } from '../errors/unknown-id.js';
import { wrongId } from '../errors/wrong-id.js';
import { isObject } from '../messages/is-object.js';
import { refuseWhatJsonLacks } from './refuse-what-json-lacks.js';
import type { Remote } from './remote.js';
import type { Send } from './send.js';
import { undefinedIfUnknown } from './undefined-if-unknown.js';

/** The records of one collection of an account. */
export function remoteRecords<Name extends ResourceName>(
  send: Send,
  collection: Name,
): Remote<Records<Name>> {
  type Stored = Resources[Name];

  const create = async (body: unknown) =>
    (await send('createRecord', { collection, body })) as Stored;

  async function put(record: unknown): Promise<Stored> {
    refuseWhatJsonLacks(record);
    const { id } = Object(record) as { readonly id?: unknown };
    const wrong = wrongId(id);
    if (wrong && isObject(record) && id === undefined) throw new InvalidInputError([wrong]);
    // A wrong id is refused with all else that is wrong.
    if (wrong || !isPossible(id)) return create(record);
    return (await send('putRecord', { collection, id, body: record })) as Stored;
  }

  return {
    async get(id) {
      if (!isPossible(id)) return undefined;
      return (await undefinedIfUnknown(send('readRecord', { collection, id }))) as
        | Stored
        | undefined;
    },
    async list() {
      const records: Stored[] = [];
      let cursor: string | undefined;
      do {
        const page = (await send('listRecords', { collection, query: { cursor } })) as Page<Stored>;
        for (const record of page.records) records.push(record);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return records;
    },
    put: (record: RecordInput<Stored>) => put(record),
    async add(record) {
      // With an id it is a `put`, also where the id is undefined.
      if ('id' in Object(record)) return put(record);
      refuseWhatJsonLacks(record);
      return create(record);
    },
    async patch(id, changes) {
      if (!isPossible(id)) throw unknownRecord(id, collection);
      const body = withNulls(changes);
      refuseWhatJsonLacks(body);
      return (await send('patchRecord', { collection, id, body })) as Stored;
    },
    async remove(id) {
      if (!isPossible(id)) return false;
      return (await undefinedIfUnknown(send('removeRecord', { collection, id }))) !== undefined;
    },
  };
}

interface Page<Stored> {
  readonly records: readonly Stored[];
  readonly nextCursor?: string;
}

/** Whether something may have the id. Refuses one that is in no URL: these drop dots. */
export function isPossible(id: unknown): id is string {
  if (typeof id !== 'string' || id === '') return false;
  if (id !== '.' && id !== '..' && !/\p{Cs}/u.test(id)) return true;
  const expected = 'an id that a URL can have: neither . nor .., without half of a surrogate pair';
  throw new InvalidInputError('id', expected, id);
}

/** The patch as JSON has it: a member that is undefined removes one, as in the library. */
function withNulls(changes: unknown): unknown {
  const isObject = Object.prototype.toString.call(changes) === '[object Object]';
  if (!isObject) return changes;
  const members = Object.entries(Object(changes));
  return Object.fromEntries(members.map(([name, value]) => [name, value ?? null]));
}
