import type { RecordInput, Records } from '../../accounts/records.js';
import type { ResourceName, Resources } from '../../billing/resources.js';
import { InvalidInputError } from '../../errors/invalid-input.js';
import { ProblemError } from '../../errors/problem-error.js';
import { unknownRecord } from '../../errors/unknown-id.js';
import { isObject } from '../../messages/is-object.js';
import { writeChanges } from '../write-changes.js';
import { type PageQuery, writePage } from '../write-page.js';
import type { ControlContext, ControlOperations } from './control-operation.js';

/** The operations on records: six for each collection. */
const customers = operationsOn('customers');
const contracts = operationsOn('contracts');
const measurements = operationsOn('measurements');
const events = operationsOn('events');

/** The records of the account, by page and one by one. */
export const RECORD_OPERATIONS = {
  listChanges: ({ account: { store } }, { query }) => writeChanges(store, query),
  listCustomers: customers.list,
  createCustomer: customers.create,
  readCustomer: customers.read,
  putCustomer: customers.put,
  patchCustomer: customers.patch,
  removeCustomer: customers.remove,
  listContracts: contracts.list,
  createContract: contracts.create,
  readContract: contracts.read,
  putContract: contracts.put,
  patchContract: contracts.patch,
  removeContract: contracts.remove,
  listStoredMeasurements: measurements.list,
  createMeasurement: measurements.create,
  readMeasurement: measurements.read,
  putMeasurement: measurements.put,
  patchMeasurement: measurements.patch,
  removeMeasurement: measurements.remove,
  listUsageEvents: events.list,
  createUsageEvent: events.create,
  readUsageEvent: events.read,
  putUsageEvent: events.put,
  patchUsageEvent: events.patch,
  removeUsageEvent: events.remove,
} satisfies Partial<ControlOperations>;

interface WithPage {
  readonly query: PageQuery;
}

interface WithId {
  readonly path: { readonly id: string };
}

/** An input with a record of the collection; without its id where the path or the mock gives it. */
interface WithRecord<Name extends ResourceName> {
  readonly query?: { readonly replace?: boolean };
  readonly body: Partial<Resources[Name]>;
}

function operationsOn<Name extends ResourceName>(name: Name) {
  const recordsOf = ({ account }: ControlContext): Records<Name> => account.records(name);
  return {
    list: ({ account }: ControlContext, { query }: WithPage) =>
      writePage(name, account.store, query),
    create(context: ControlContext, { query, body }: WithRecord<Name>) {
      const records = recordsOf(context);
      // All members are checked there; the compiler cannot tell for any collection.
      if (query?.replace) return records.put(body as RecordInput<Resources[Name]>);
      const { id } = Object(body) as typeof body;
      if (id !== undefined && records.get(id)) {
        throw new ProblemError(
          'conflict',
          `The account has a record with the id '${id}'; expected a new one. Put it to replace that one.`,
        );
      }
      return records.add(body);
    },
    read: (context: ControlContext, { path: { id } }: WithId) =>
      known(name, recordsOf(context), id),
    put(context: ControlContext, { path: { id }, body }: WithId & WithRecord<Name>) {
      // What is no object is refused there.
      if (!isObject(body)) return recordsOf(context).put(body);
      const { id: inBody = id } = body;
      if (inBody !== id) throw new InvalidInputError('id', `'${id}', as in the path`, inBody);
      // All members but the id are the document's; the compiler cannot tell for any collection.
      return recordsOf(context).put({ ...body, id } as RecordInput<Resources[Name]>);
    },
    patch(context: ControlContext, { path: { id }, body }: WithId & { readonly body: object }) {
      return recordsOf(context).patch(id, body);
    },
    remove(context: ControlContext, { path: { id } }: WithId) {
      const records = recordsOf(context);
      const record = known(name, records, id);
      records.remove(id);
      return record;
    },
  };
}

function known<Name extends ResourceName>(
  name: Name,
  records: Records<Name>,
  id: string,
): Resources[Name] {
  const record = records.get(id);
  if (record) return record;
  throw unknownRecord(id, name);
}
