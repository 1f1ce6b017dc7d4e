import { PARAMETERS } from '#spec';
import { isMadeUp, withOneLetterChanged } from '../seen/made-up-values.js';
import { parameterOf, type Sample, type SampleRequest } from '../seen/samples.js';

/** A whole number within the bounds (section 8). */
const PLAIN_LIMIT = /^[1-9]\d{0,2}$|^1000$/;

type Listing = Pick<Sample, 'request'>;

export function listingRequest(query: SampleRequest['query']): SampleRequest {
  return { operationId: 'listMeasurements', path: {}, query, token: 'given' };
}

export function isKnownParameter(name: string): boolean {
  return (PARAMETERS.listMeasurements as readonly string[]).includes(name);
}

/** True if no decision is about the request's form: its cursor, if any, was issued. */
export function isPlain({ request: { query } }: Listing, issued: ReadonlySet<string>): boolean {
  const isRepeated = new Set(query.map(([name]) => name)).size < query.length;
  const isPlainValue = { limit: isPlainLimit, cursor: (text: string) => issued.has(text) };
  return !isRepeated && query.every(([name, value]) => isPlainValue[name as 'limit']?.(value));
}

export function isPlainLimit(text: string): boolean {
  return PLAIN_LIMIT.test(text);
}

/** True unless a request has a cursor that a response which was not seen may have issued. */
export function isCursorKnown(seen: Listing, issued: ReadonlySet<string>): boolean {
  const cursor = parameterOf(seen, 'cursor') ?? '';
  return cursor === '' || issued.has(cursor) || isMadeUpCursor(cursor, issued);
}

function isMadeUpCursor(cursor: string, issued: ReadonlySet<string>): boolean {
  return isMadeUp(cursor) || [...issued].some((one) => withOneLetterChanged(one) === cursor);
}

/** In which way a listing is odd: a decision may treat each way differently. */
export function oddityOf(seen: Listing): string {
  const { query } = seen.request;
  const limit = parameterOf(seen, 'limit') ?? '1';
  const empty = query.find(([, value]) => value === '');
  if (!query.every(([name]) => isKnownParameter(name))) return 'parameter';
  if (empty) return `${empty[0]}=`;
  if (/^\d+\.\d+$/.test(limit)) return limit;
  if (!isPlainLimit(limit)) return Number(limit) < 1 ? 'below' : 'above';
  return String(parameterOf(seen, 'cursor'));
}
