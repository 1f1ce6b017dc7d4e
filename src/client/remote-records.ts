import type { RecordInput, Records } from '../accounts/records.js';
import type { ResourceName, Resources } from '../billing/resources.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { unknownRecord } from '../errors/unknown-id.js';
import { refuseWhatJsonLacks } from './refuse-what-json-lacks.js';
import type { Remote } from './remote.js';
import type { RouteId } from './routes.js';
import type { Send } from './send.js';
import { undefinedIfUnknown } from './undefined-if-unknown.js';

/** For each collection, the operation that lists it, and what the others call one record. */
const ROUTES_OF = {
  customers: ['listCustomers', 'Customer'],
  contracts: ['listContracts', 'Contract'],
  measurements: ['listStoredMeasurements', 'Measurement'],
  events: ['listUsageEvents', 'UsageEvent'],
} as const satisfies Record<ResourceName, readonly [RouteId, string]>;

/** The records of one collection of an account. */
export function remoteRecords<Name extends ResourceName>(
  send: Send,
  name: Name,
): Remote<Records<Name>> {
  type Stored = Resources[Name];
  const [list, one] = ROUTES_OF[name];

  async function put(record: unknown): Promise<Stored> {
    refuseWhatJsonLacks(record);
    return (await send(`create${one}`, { query: { replace: 'true' }, body: record })) as Stored;
  }

  return {
    async get(id) {
      if (!isPossible(id)) return undefined;
      return (await undefinedIfUnknown(send(`read${one}`, { id }))) as Stored | undefined;
    },
    async list() {
      const records: Stored[] = [];
      let cursor: string | undefined;
      do {
        const page = (await send(list, { query: { cursor } })) as Page<Stored>;
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
      return (await send(`create${one}`, { body: record })) as Stored;
    },
    async patch(id, changes) {
      if (!isPossible(id)) throw unknownRecord(id, name);
      const body = withNulls(changes);
      refuseWhatJsonLacks(body);
      return (await send(`patch${one}`, { id, body })) as Stored;
    },
    async remove(id) {
      if (!isPossible(id)) return false;
      return (await undefinedIfUnknown(send(`remove${one}`, { id }))) !== undefined;
    },
  };
}

interface Page<Stored> {
  readonly records: readonly Stored[];
  readonly nextCursor?: string;
}

/** Whether some record may have the id. Refuses one that is in no URL: these drop dots. */
function isPossible(id: unknown): id is string {
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
