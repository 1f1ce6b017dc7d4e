import { HIGHEST_LIMIT, nextCursorOf } from '../judge/known-records.js';
import {
  MADE_UP_CURSOR,
  MADE_UP_PARAMETER,
  randomLookupLike,
  withOneLetterChanged,
} from '../seen/made-up-values.js';
import { type Sample, successBody } from '../seen/samples.js';
import type { Run } from './run.js';

const MAX_PAGES = 8;
/** How many requests an odd listing may take, if responses are lost, with the plain one after it. */
const MAX_FOR_ONE = 5;

const HIGHEST = `limit=${HIGHEST_LIMIT}`;
const FORGED = 'limit=2&cursor=…like its own';
const CHANGED = 'limit=1&cursor=…with one letter changed';

/** Plain listings, and odd ones that a service may take for them; few are refused twice in a row. */
const ODD: readonly (readonly [plain: string, ...odd: string[]])[] = [
  ['', 'cursor=', 'limit=', 'limit=many'],
  [
    ...(['limit=2', 'limit=2.5', 'limit=2.7', `limit=2&cursor=${MADE_UP_CURSOR}`] as const),
    ...[FORGED, `limit=2&${MADE_UP_PARAMETER}=1`],
  ],
  [
    ...(['limit=1', 'limit=0', 'limit=1.5', 'limit=1&cursor=', CHANGED] as const),
    `limit=1&${MADE_UP_PARAMETER}=1`,
  ],
  [HIGHEST, `limit=${HIGHEST_LIMIT + 1}`],
];

export const LISTINGS = ODD.map(
  ([plain, ...odd]) =>
    `GET /measurements${plain && `?${plain}`}, with ${odd.join(', ')} in its place, and again as it was`,
);

/** Sends each plain listing with the odd ones after it; then reads all pages. */
export async function sendListings(run: Run): Promise<void> {
  for (const [plain, ...odd] of ODD) await sendOdd(run, plain, odd);
  await walk(run);
}

/** Refusals must come twice, and a listing that has changed settles little. */
export async function sendListingsAgain(run: Run): Promise<void> {
  for (const plain of ['', HIGHEST]) await list(run, plain);
  for (const [plain, ...odd] of ODD) {
    if (run.left() >= odd.length + 2) await sendOdd(run, plain, odd);
  }
}

function list({ ask }: Run, query: string): Promise<Sample | undefined> {
  return ask({ operationId: 'listMeasurements', query: [...new URLSearchParams(query)] });
}

async function sendOdd(run: Run, plain: string, odd: readonly string[]): Promise<void> {
  await list(run, plain);
  for (const query of odd) {
    if (run.left() < MAX_FOR_ONE) break;
    const isMade = query === FORGED || query === CHANGED;
    const cursor = query === FORGED ? forged(run) : isMade ? changed(run) : undefined;
    if (isMade && cursor === undefined) continue;
    const sent = isMade ? `${plain}&cursor=${encodeURIComponent(String(cursor))}` : query;
    // A service that fails for odd requests alone has not gone.
    if (!(await list(run, sent))) await list(run, plain);
  }
  // The pages are read from here.
  if (plain !== HIGHEST) await list(run, plain);
}

const cursorsIn = ({ samples }: Run) => samples.flatMap((one) => nextCursorOf(one) ?? []);

/** A random cursor that looks like the service's own, with their common prefix, if any. */
function forged(run: Run): string | undefined {
  const [first = '', ...others] = cursorsIn(run);
  const [prefix = ''] = /^[A-Za-z\d]+[^A-Za-z\d]/.exec(first) ?? [];
  const isShared = others.every((one) => one.startsWith(prefix));
  return randomLookupLike(first, run.seed, isShared ? prefix.length : 0);
}

function changed(run: Run): string | undefined {
  const [first = '', ...others] = cursorsIn(run);
  const made = withOneLetterChanged(first);
  return made !== undefined && others.includes(made) ? undefined : made;
}

/** Reads the listing to its end, then in pages of equal parts, and in two of which the last is full. */
async function walk(run: Run): Promise<void> {
  const { isEnd, sizes, cursor } = await readPages(run, HIGHEST_LIMIT);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (!isEnd || size < 2) return;
  const last = sizes.at(-1) ?? 0;
  if (cursor !== '' && last > 0) await readPages(run, last, cursor);
  const most = sizes.length > 1 ? Math.max(...sizes) : HIGHEST_LIMIT;
  const parts = Array.from({ length: MAX_PAGES }, (_, at) => size / (at + 1));
  const [whole, equal] = parts.filter((one) => Number.isInteger(one) && one <= most);
  for (const limit of new Set([whole, equal])) {
    if (limit !== undefined && run.left() > 0) await readPages(run, limit);
  }
  const half = Math.ceil(size / 2);
  if (half > most || run.left() < 2) return;
  const halves = await readPages(run, half);
  // A last page behind a cursor that is as long as its limit.
  if (halves.isEnd && halves.cursor !== '' && half < size) {
    await readPages(run, size - half, halves.cursor);
  }
}

/** Reads pages to the end of the listing, at most eight and one that is empty. */
async function readPages(run: Run, limit: number, from = '') {
  const sizes: number[] = [];
  let cursor = from;
  for (let pages = 0; pages <= MAX_PAGES; pages += 1) {
    const after = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const page = await list(run, `limit=${limit}${after}`);
    const { measurements, hasMore } = (page && successBody(page)) ?? {};
    if (!page || !Array.isArray(measurements)) break;
    sizes.push(measurements.length);
    const next = hasMore === true ? nextCursorOf(page) : undefined;
    if (next === undefined) return { isEnd: true, sizes, cursor };
    if (next === cursor) break;
    cursor = next;
  }
  return { isEnd: false, sizes, cursor };
}
