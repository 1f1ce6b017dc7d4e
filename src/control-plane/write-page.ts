import type { AccountStore } from '../billing/account-store.js';
import { type CursorScope, readCursor, writeCursor } from '../billing/cursor-encoding.js';
import type { ResourceName } from '../billing/resources.js';
import type { Platform } from '../service/platform.js';
import { finish, RECORDS_A_STEP, type Steps } from '../store/work-in-steps.js';
import { invalidCursor } from './invalid-cursor.js';
import { JsonPieces } from './json-pieces.js';

/** Which page of a collection is meant, as the validator has checked it. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
  /** Only records whose JSON contains it, in upper or lower case. */
  readonly text?: string;
}

/** How many records are searched for a page at most. */
const MOST_SEARCHED = 100_000;

/** Writes one page of a collection; its cost does not depend on how many records precede it. */
export function writePage(
  name: ResourceName,
  store: AccountStore,
  query: PageQuery,
  run: Platform['run'],
): JsonPieces | Promise<JsonPieces> {
  if (query.text === undefined) return finish(writingPage(name, store, query));
  return run(writingPage(name, store.fork(), query));
}

function* writingPage(
  name: ResourceName,
  store: AccountStore,
  { limit = 1_000, cursor, text }: PageQuery,
): Steps<JsonPieces> {
  const scope = { dataset: store.datasetFingerprint, listing: `all ${name}` };
  const wanted = text?.toLowerCase();
  const records: object[] = [];
  let searched = 0;
  let nextCursor: string | undefined;
  for (const [place, record] of store[name].from(placeOf(scope, cursor))) {
    if (records.length === limit || searched === MOST_SEARCHED) {
      nextCursor = writeCursor(scope, { position: [place, ''] });
      break;
    }
    if (wanted === undefined || hasText(record, wanted)) records.push(record);
    searched += 1;
    if (searched % RECORDS_A_STEP === 0) yield;
  }
  const page = { records, nextCursor, ...(text !== undefined && { searched }) };
  return new JsonPieces().add(JSON.stringify(page));
}

function hasText(record: object, wanted: string): boolean {
  return JSON.stringify(record).toLowerCase().includes(wanted);
}

/** The place where a cursor begins: that of the first record without one. */
function placeOf(scope: CursorScope, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const content = readCursor(scope, cursor);
  if (typeof content !== 'string') return content.position[0];
  throw invalidCursor(cursor, content);
}
