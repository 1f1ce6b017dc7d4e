import type { ResourceName, Resources } from '../../core/billing/resources.js';
import { InvalidInputError, wrongId } from '../../core/errors/invalid-input.js';
import { isTooDeep } from '../../core/errors/nesting-depth.js';
import { unknownRecord } from '../../core/errors/unknown-id.js';
import { isObject } from '../../core/values/json-value.js';
import type { Records } from '../accounts/records.js';
import { undefinedIfUnknown } from './error-of-problem.js';
import { isPossible, refuseWhatJsonLacks } from './refuse-unsendable.js';
import type { Remote } from './remote.js';
import type { Call } from './send.js';
import { VERBS } from './verbs.js';

export function remoteRecords<Name extends ResourceName>(
  call: Call,
  collection: Name,
): Remote<Records<Name>> {
  type Stored = Resources[Name];
  const stored = (record: unknown) => record as Stored;
  const create = (body: unknown) =>
    call(VERBS.customers.add, { path: { collection }, body }, stored);

  async function put(body: unknown): Promise<Stored> {
    refuseWhatJsonLacks(body);
    const { id } = Object(body) as { readonly id?: unknown };
    const wrong = wrongId(id);
    if (wrong && isObject(body) && id === undefined) throw new InvalidInputError([wrong]);
    // The mock reports a wrong id together with all other mistakes.
    if (wrong || !isPossible(id)) return create(body);
    return call(VERBS.customers.put, { path: { collection, id }, body }, stored);
  }

  return {
    get: async (id) =>
      isPossible(id)
        ? undefinedIfUnknown(call(VERBS.customers.get, { path: { collection, id } }, stored))
        : undefined,
    list: () =>
      readPages((cursor) =>
        call(
          VERBS.customers.list,
          { path: { collection }, query: { cursor } },
          ({ records, nextCursor }) => ({ items: records.map(stored), nextCursor }),
        ),
      ),
    put,
    // A record with the member `id` is a `put`, even if the id is undefined.
    add: (record) => ('id' in Object(record) ? put(record) : create(record)),
    async patch(id, changes) {
      if (!isPossible(id)) throw unknownRecord(id, collection);
      return call(
        VERBS.customers.patch,
        { path: { collection, id }, body: isTooDeep(changes) ? changes : withNulls(changes) },
        stored,
      );
    },
    remove: async (id) =>
      isPossible(id) &&
      (await undefinedIfUnknown(call(VERBS.customers.remove, { path: { collection, id } }))) !==
        undefined,
  };
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | undefined;
}

export async function readPages<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await readPage(cursor);
    for (const item of items) all.push(item);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return all;
}

/** The patch as JSON: an undefined member becomes null, which removes it, as in the library. */
function withNulls(changes: unknown): unknown {
  if (Object.prototype.toString.call(changes) !== '[object Object]') return changes;
  const members = Object.entries(Object(changes));
  return Object.fromEntries(members.map(([name, value]) => [name, withNulls(value) ?? null]));
}
