import type { RecordInput } from '../../accounts/records.js';
import type { ResourceName, Resources } from '../../billing/resources.js';
import { InvalidInputError } from '../../errors/invalid-input.js';
import { ProblemError } from '../../errors/problem-error.js';
import { unknownRecord } from '../../errors/unknown-id.js';
import { isObject } from '../../values/json-value.js';
import { writeChanges, writePage } from '../page-records.js';
import type { ControlContext, ControlOperations } from './control-operation.js';

/** A record of some collection; the account checks that it is one of its own. */
type AnyRecord = RecordInput<Resources[ResourceName]>;

/** The records of the account, by page and one by one. */
export const RECORD_OPERATIONS = {
  listChanges: ({ account: { store } }, { query }) => writeChanges(store, query),
  listRecords: ({ account, run }, { path: { collection }, query }) =>
    writePage(collection, account.store, query, run),
  createRecord({ account }, { path: { collection }, body }) {
    const records = account.records(collection);
    const { id } = Object(body) as typeof body;
    if (id !== undefined && records.get(id)) {
      throw new ProblemError(
        'conflict',
        `The account has a record with the id '${id}'; expected a new one. Put it to replace that one.`,
      );
    }
    return records.add(body as AnyRecord);
  },
  readRecord: ({ account }, { path: { collection, id } }) => known(account, collection, id),
  putRecord({ account }, { path: { collection, id }, body }) {
    const records = account.records(collection);
    // What is no object is refused there.
    if (!isObject(body)) return records.put(body);
    const { id: inBody = id } = body;
    if (inBody !== id) throw new InvalidInputError('id', `'${id}', as in the path`, inBody);
    return records.put({ ...body, id } as AnyRecord);
  },
  patchRecord: ({ account }, { path: { collection, id }, body }) =>
    account.records(collection).patch(id, body),
  removeRecord({ account }, { path: { collection, id } }) {
    const record = known(account, collection, id);
    account.records(collection).remove(id);
    return record;
  },
} satisfies Partial<ControlOperations>;

function known(account: ControlContext['account'], name: ResourceName, id: string): object {
  const record = account.records(name).get(id);
  if (record) return record;
  throw unknownRecord(id, name);
}
