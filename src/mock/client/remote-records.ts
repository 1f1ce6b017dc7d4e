import type { ResourceName, Resources } from '../../core/billing/resources.js';
import type { Records } from '../accounts/records.js';
import { undefinedIfUnknown } from './error-of-problem.js';
import type { Remote } from './remote.js';
import type { Call } from './send.js';
import { VERBS } from './verbs.js';

export function remoteRecords<Name extends ResourceName>(
  call: Call,
  collection: Name,
): Remote<Records<Name>> {
  type Stored = Resources[Name];
  const stored = (record: unknown) => record as Stored;
  const put = async (body: { readonly id?: string }) =>
    call(VERBS.customers.put, { path: { collection, id: body.id as string }, body }, stored);

  return {
    get: (id) =>
      undefinedIfUnknown(call(VERBS.customers.get, { path: { collection, id } }, stored)),
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
    add: async (body) =>
      'id' in body ? put(body) : call(VERBS.customers.add, { path: { collection }, body }, stored),
    patch: (id, changes) =>
      call(VERBS.customers.patch, { path: { collection, id }, body: withNulls(changes) }, stored),
    async remove(id) {
      const removed = call(VERBS.customers.remove, { path: { collection, id } });
      return (await undefinedIfUnknown(removed)) !== undefined;
    },
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
