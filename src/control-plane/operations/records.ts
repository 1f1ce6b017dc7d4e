import type { RecordInput, Records } from '../../accounts/records.js';
import { RESOURCE_NAMES, type ResourceName, SCHEMA_OF } from '../../billing/resources.js';
import { InvalidInputError } from '../../errors/invalid-input.js';
import { ProblemError } from '../../errors/problem-error.js';
import { UnknownIdError } from '../../errors/unknown-id.js';
import type { ControlOperation } from './index.js';

type Verb = 'create' | 'read' | 'put' | 'patch' | 'remove';
type Schema = (typeof SCHEMA_OF)[ResourceName];
type AnyRecords = Records<ResourceName>;
type AnyInput = RecordInput<Parameters<AnyRecords['put']>[0] & never>;

/** The operations on single records: five for each collection, such as `createCustomer`. */
export function recordOperations(): Record<`${Verb}${Schema}`, ControlOperation> {
  return Object.fromEntries(
    RESOURCE_NAMES.flatMap((name) =>
      Object.entries(VERBS).map(([verb, act]) => [
        `${verb}${SCHEMA_OF[name]}`,
        (({ account }, { path, body }) =>
          act(account.records(name) as AnyRecords, path.id ?? '', body)) as ControlOperation,
      ]),
    ),
  ) as Record<`${Verb}${Schema}`, ControlOperation>;
}

const VERBS: Record<Verb, (records: AnyRecords, id: string, body: unknown) => object> = {
  create(records, _id, body) {
    const { id } = body as { readonly id?: string };
    if (id !== undefined && records.get(id)) {
      throw new ProblemError(
        'conflict',
        `The account has a record with the id '${id}'; expected a new one. Put it to replace that one.`,
      );
    }
    return records.add(body as AnyInput);
  },
  read: known,
  put(records, id, body) {
    const { id: inBody = id } = body as { readonly id?: string };
    if (inBody !== id) throw new InvalidInputError('id', `'${id}', as in the path`, inBody);
    return records.put({ ...(body as AnyInput), id });
  },
  patch(records, id, body) {
    return records.patch(known(records, id).id, body as object);
  },
  remove(records, id) {
    const record = known(records, id);
    records.remove(id);
    return record;
  },
};

function known(records: AnyRecords, id: string): NonNullable<ReturnType<AnyRecords['get']>> {
  const record = records.get(id);
  if (record) return record;
  throw new UnknownIdError(`The account has no record '${id}' in this collection.`);
}
