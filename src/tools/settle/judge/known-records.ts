import { isObject } from '../../../core/values/json-value.js';
import { isTimestamp, sortableInstant } from '../../../core/values/time.js';
import { idOf, instantOf, type Members, objectOf, parameterOf } from '../seen/samples.js';
import type { ModelRecords } from './model.js';
import type { Seen } from './views.js';

/** A page in its place: how many rows precede it, and the limit that cut it. */
export interface Placed {
  readonly seen: Seen;
  readonly offset: number;
  /** It may be lower than the limit that was sent. */
  readonly limit: number;
}

/** The service's usual length of a page without a limit (section 4.4). */
const DEFAULT_LIMIT = 10;
export const HIGHEST_LIMIT = 1000;

/** The listing as far as pages show it, and where each of them is in it. */
export function listingOf(pages: readonly Seen[]) {
  const issued = new Map<string, { readonly offset: number; readonly limit: string }>();
  const rows: Members[] = [];
  const placed: Placed[] = [];
  const caps = new Set<number>();
  let isComplete = false;
  let isOdd = false;
  for (const seen of pages) {
    const { records, parts } = seen.view;
    const cursor = parameterOf(seen, 'cursor');
    const sent = parameterOf(seen, 'limit');
    const limit = sent ?? 'none';
    const place = cursor === undefined ? { offset: 0, limit } : issued.get(cursor);
    if (!place) continue;
    const { offset } = place;
    const isThere = records.every(({ id }, nth) => rows[offset + nth]?.id === id);
    // With another limit, a service may take the same cursor for another place.
    if (place.limit !== limit && !(isThere && records.length > 0)) continue;
    const isFollowed = parts.hasMore === 'true';
    const isCut = isFollowed && (sent === undefined || records.length < Number(sent));
    if (isCut && sent !== undefined) caps.add(records.length);
    const most = sent === undefined ? Math.max(DEFAULT_LIMIT, records.length) : Number(sent);
    placed.push({ seen, offset, limit: isCut ? records.length : most });
    isOdd ||= records.length > most;
    for (const [at, record] of records.entries()) {
      const known = rows[offset + at];
      if (known === undefined) rows[offset + at] = record;
      else isOdd ||= known.id !== record.id;
    }
    const next = nextCursorOf(seen);
    if (isFollowed && next) issued.set(next, { offset: offset + records.length, limit });
    isComplete ||= parts.hasMore === 'false';
  }
  // A cache may return a first page as it was, but not all of them are as old.
  const firsts = placed.filter(({ offset }) => offset === 0).map(({ seen: { view } }) => view);
  const areTotalsAlike = new Set(firsts.map(({ parts }) => parts.total)).size < 2;
  isOdd ||=
    !areTotalsAlike && firsts.some(({ parts, records }) => parts.total !== String(records.length));
  const known = rows.filter(Boolean);
  const isGapless = known.length === rows.length && rows.length === new Set(idsOf(rows)).size;
  /** The most rows that a page has, as far as is known. */
  const most = Math.min(HIGHEST_LIMIT, ...caps);
  return { rows: known, placed, most, isComplete, isOdd: isOdd || caps.size > 1 || !isGapless };
}

const idsOf = (records: readonly Members[]) => records.map(({ id }) => id);

export function nextCursorOf({ response }: Pick<Seen, 'response'>): string | undefined {
  const { nextCursor } = objectOf(response) ?? {};
  return typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
}

/** The records that responses show, with those members alone that decisions depend on. */
export function modelRecordsOf(
  samples: readonly Seen[],
  rows: readonly Members[],
): Required<ModelRecords> {
  return {
    customers: recordsSeen(samples, 'getCustomer').map((one) => ({
      id: idOf(one.id),
      ...(typeof one.name === 'string' && { name: one.name }),
      ...(Array.isArray(one.aliases) && { aliases: one.aliases.filter(isText) }),
      ...(idOf(one.externalId) !== undefined && { externalId: idOf(one.externalId) }),
      ...stampsOf(one),
    })),
    measurements: rows.map((one) => ({
      id: idOf(one.id),
      ...(isDate(one.usageDate) && { usageDate: one.usageDate }),
      ...stampsOf(one),
    })),
    contracts: recordsSeen(samples, 'deleteContract').map(({ id }) => ({
      id: idOf(id),
      ...stampsOf({}),
    })),
    events: recordsSeen(samples, 'deleteEvents').map(({ id, ref, timestamp }) => ({
      id: idOf(id),
      ...(isText(ref) && { ref }),
      timestamp: instant(timestamp),
      ...stampsOf({}),
    })),
  };
}

/** The records of these operations; each member as it was seen first. */
export function recordsSeen(samples: readonly Seen[], operations: string): readonly Members[] {
  const found = new Map<string, Members>();
  for (const { request, view } of samples) {
    if (!request.operationId.startsWith(operations)) continue;
    for (const record of view.records) {
      const id = String(idOf(record.id));
      found.set(id, { ...record, ...found.get(id) });
    }
  }
  return [...found.values()];
}

const isText = (value: unknown) => typeof value === 'string';

const LONG_AGO = '2000-01-01T00:00:00.000Z';

function instant(value: unknown): string {
  // As it is if the mock can hold it: its digits decide about the order.
  if (typeof value === 'string' && isTimestamp(value)) return value;
  const ms = instantOf(value);
  return ms === undefined ? LONG_AGO : new Date(ms).toISOString();
}

const stampsOf = ({ createdAt }: Members) => ({
  createdAt: instant(createdAt),
  updatedAt: instant(createdAt),
});

export function isDate(
  value: unknown,
): value is Readonly<Record<'year' | 'month' | 'day', number>> {
  return isObject(value) && ['year', 'month', 'day'].every((name) => Number.isInteger(value[name]));
}

/** A field, other than its own, by which records are sorted as well: then their order proves little. */
export function rivalOf(records: readonly Members[], own: readonly string[]): string | undefined {
  const names = new Set(records.flatMap((one) => Object.keys(one)));
  return [...names].find((name) => {
    const keys = records.map((one) => keyOf(one[name]));
    if (own.includes(name) || keys.includes(undefined) || new Set(keys).size < 2) return false;
    return [1, -1].some((sign) =>
      keys.every((key, at) => at === 0 || sign * compare(key, keys[at - 1]) >= 0),
    );
  });
}

/** A field, other than its own, by which a record is the first or the last among others. */
export function extremeOf(record: Members, others: readonly Members[], own: readonly string[]) {
  return Object.keys(record).find((name) => {
    const key = keyOf(record[name]);
    const keys = others.map((one) => keyOf(one[name]));
    if (own.includes(name) || [key, ...keys].includes(undefined)) return false;
    return [1, -1].some((sign) => keys.every((other) => sign * compare(key, other) < 0));
  });
}

type Key = string | number | undefined;

function keyOf(value: unknown): Key {
  if (typeof value === 'number') return value;
  if (isDate(value)) return value.year * 10_000 + value.month * 100 + value.day;
  if (typeof value !== 'string') return undefined;
  return /^\d{4}-\d\d-\d\dT/.test(value) ? sortableInstant(value) : value;
}

function compare(one: Key = '', other: Key = ''): number {
  return one < other ? -1 : Number(one > other);
}
