import type { AccountStore } from '../billing/account-store.js';
import { type CursorScope, readCursor, writeCursor } from '../billing/cursor-encoding.js';
import type { ResourceName } from '../billing/resources.js';
import type { Position } from '../store/order.js';
import { invalidCursor } from './invalid-cursor.js';
import { JsonPieces } from './send-json-pieces.js';

/** Which page of a collection is meant, as the validator has checked it. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Writes one page of a collection; its cost does not depend on how many records precede it. */
export function writePage(
  name: ResourceName,
  store: AccountStore,
  { limit = 1_000, cursor }: PageQuery,
): JsonPieces {
  const scope = { dataset: store.datasetFingerprint, listing: `all ${name}` };
  const records: object[] = [];
  let nextCursor: string | undefined;
  for (const [place, record] of store[name].from(...positionOf(scope, cursor))) {
    if (records.length === limit) {
      nextCursor = writeCursor(scope, { position: [place, record.id] });
      break;
    }
    records.push(record);
  }
  const body = Buffer.from(JSON.stringify({ records, ...(nextCursor && { nextCursor }) }));
  return new JsonPieces([body], body.length);
}

/** Where a cursor begins, by place and id: at the first record without one. */
function positionOf(scope: CursorScope, cursor: string | undefined): Position {
  if (cursor === undefined) return [0, ''];
  const content = readCursor(scope, cursor);
  if (typeof content !== 'string') return content.position;
  throw invalidCursor(cursor, content);
}
