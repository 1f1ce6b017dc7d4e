import type { AccountStore } from '../../../core/billing/account-store.js';
import {
  type CursorScope,
  invalidCursor,
  NEVER_ISSUED,
  readCursor,
  writeCursor,
} from '../../../core/billing/cursor.js';
import {
  RESOURCE_NAMES,
  type ResourceName,
  type Resources,
} from '../../../core/billing/resources.js';
import { InvalidInputError } from '../../../core/errors/invalid-input.js';
import { ProblemError } from '../../../core/errors/problem-error.js';
import { unknownRecord } from '../../../core/errors/unknown-id.js';
import type { Position } from '../../../core/store/order.js';
import { isObject } from '../../../core/values/json-value.js';
import type { RecordInput } from '../../accounts/records.js';
import { JsonPieces } from '../json-in-pieces.js';
import type { ControlContext, ControlOperations } from './control-operation.js';

/** A record of any collection; the account checks that it fits the collection. */
type AnyRecord = RecordInput<Resources[ResourceName]>;

export const RECORD_OPERATIONS = {
  'GET /changes': ({ account: { store } }, { query }) => writeChanges(store, query),
  'GET /{collection}': ({ account }, { path: { collection }, query }) =>
    writePage(collection, account.store, query),
  'POST /{collection}'({ account }, { path: { collection }, body }) {
    const records = account.records(collection);
    const { id } = Object(body) as typeof body;
    if (id !== undefined && records.get(id)) {
      throw new ProblemError(
        'conflict',
        `The account already has a record with the id '${id}'; expected a new id. To replace that record, use PUT.`,
      );
    }
    return records.add(body as AnyRecord);
  },
  'GET /{collection}/{id}'({ account }, { path: { collection, id }, query: { of } }) {
    if (of !== 'dataset') return existingRecord(account, collection, id);
    const record = account.store.bases[collection].get(id);
    if (record) return record;
    throw unknownRecord(id, collection);
  },
  'PUT /{collection}/{id}'({ account }, { path: { collection, id }, body }) {
    const records = account.records(collection);
    // `put` refuses anything but an object.
    if (!isObject(body)) return records.put(body);
    const { id: inBody = id } = body;
    if (inBody !== id) throw new InvalidInputError('id', `'${id}', as in the path`, inBody);
    return records.put({ ...body, id } as AnyRecord);
  },
  'PATCH /{collection}/{id}': ({ account }, { path: { collection, id }, body }) =>
    account.records(collection).patch(id, body),
  'DELETE /{collection}/{id}'({ account }, { path: { collection, id } }) {
    const record = existingRecord(account, collection, id);
    account.records(collection).remove(id);
    return record;
  },
} satisfies Partial<ControlOperations>;

function existingRecord(
  account: ControlContext['account'],
  name: ResourceName,
  id: string,
): object {
  const record = account.records(name).get(id);
  if (record) return record;
  throw unknownRecord(id, name);
}

interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
  /** Only records whose JSON contains this text, ignoring case. */
  readonly text?: string;
}

/** The most records that are searched for one page. */
const MAX_SEARCHED = 100_000;

function writePage(
  name: ResourceName,
  store: AccountStore,
  { limit = 1_000, cursor, text }: PageQuery,
): JsonPieces {
  const scope = { dataset: store.bases.fingerprint, listing: `all ${name}` };
  const wanted = text?.toLowerCase();
  const records: object[] = [];
  let searched = 0;
  let nextCursor: string | undefined;
  for (const [place, record] of store[name].from(positionOf(scope, cursor)[0])) {
    if (records.length === limit || searched === MAX_SEARCHED) {
      nextCursor = writeCursor(scope, { position: [place, ''] });
      break;
    }
    if (wanted === undefined || hasText(record, wanted)) records.push(record);
    searched += 1;
  }
  const page = { records, nextCursor, ...(text !== undefined && { searched }) };
  return new JsonPieces().add(JSON.stringify(page));
}

function hasText(record: object, wanted: string): boolean {
  return JSON.stringify(record).toLowerCase().includes(wanted);
}

function positionOf(scope: CursorScope, cursor: string | undefined): Position {
  if (cursor === undefined) return [0, ''];
  const content = readCursor(scope, cursor);
  if (typeof content === 'string') throw invalidCursor(cursor, content);
  const [place] = content.position;
  if (!Number.isSafeInteger(place) || place < 0) throw invalidCursor(cursor, NEVER_ISSUED);
  return content.position;
}

function writeChanges(
  store: AccountStore,
  { collection, limit = 1_000, cursor }: PageQuery & { readonly collection?: ResourceName },
): object {
  const scope = {
    dataset: store.bases.fingerprint,
    listing: `changes of ${collection ?? 'all collections'}`,
  };
  const names: readonly ResourceName[] = collection === undefined ? RESOURCE_NAMES : [collection];
  const changes: object[] = [];
  let nextCursor: string | undefined;
  for (const [position, change] of changesFrom(store, names, positionOf(scope, cursor))) {
    if (changes.length === limit) {
      nextCursor = writeCursor(scope, { position });
      break;
    }
    changes.push(change);
  }
  const total = names.reduce((sum, name) => sum + store[name].changeCount, 0);
  return { changes, total, nextCursor };
}

/** The changes from a position on, each with its position: its number and its collection. */
function* changesFrom(
  store: AccountStore,
  names: readonly ResourceName[],
  [first, begun]: Position,
): Generator<readonly [Position, object]> {
  // A forged cursor may contain any text.
  const at = names.indexOf(begun as ResourceName);
  for (const name of names.slice(Math.max(0, at))) {
    for (const [number, changed] of store[name].changedFrom(name === begun ? first : 0)) {
      yield [[number, name], { collection: name, ...changed }];
    }
  }
}
