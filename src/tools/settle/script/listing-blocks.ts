import { HIGHEST_LIMIT, nextCursorOf } from '../known-records.js';
import {
  MADE_UP_CURSOR,
  MADE_UP_PARAMETER,
  randomLookupLike,
  withOneLetterChanged,
} from '../seen/made-up-values.js';
import { type Sample, successBody } from '../seen/samples.js';
import type { Block, Run } from './block.js';

const MAX_PAGES = 8;
/** How many requests an odd listing may take, if responses are lost, with the plain one after it. */
const MAX_FOR_ONE = 5;

/** A plain listing, and odd ones that a service may take for it. */
interface OddListings {
  readonly plain: string;
  readonly odd: readonly string[];
  readonly madeUp: string;
}

const HIGHEST = `limit=${HIGHEST_LIMIT}`;
const FORGED = 'limit=2&cursor=…like its own';
const CHANGED = 'limit=1&cursor=…with one letter changed';

const ODD: readonly OddListings[] = [
  {
    plain: '',
    odd: ['cursor=', 'limit=', 'limit=many'],
    madeUp: 'empty parameters, and a limit that is not a number',
  },
  {
    plain: 'limit=2',
    odd: [
      ...['limit=2.5', 'limit=2.7', `limit=2&cursor=${MADE_UP_CURSOR}`, FORGED],
      `limit=2&${MADE_UP_PARAMETER}=1`,
    ],
    madeUp:
      'fractions as limits, cursors that were never issued, and a query parameter that the specification does not list',
  },
  {
    plain: 'limit=1',
    // What may be refused is asked for twice, but not in a row.
    odd: ['limit=0', 'limit=1.5', 'limit=1&cursor=', CHANGED, `limit=1&${MADE_UP_PARAMETER}=1`],
    madeUp: 'limits out of bounds',
  },
  {
    plain: HIGHEST,
    odd: [`limit=${HIGHEST_LIMIT + 1}`],
    madeUp: 'limits out of bounds',
  },
];

const pathOf = (query: string) => `GET /measurements${query && `?${query}`}`;

const ODD_BLOCKS: readonly Block[] = ODD.map(({ plain, odd, madeUp }) => ({
  requests: `${pathOf(plain)}, with ${odd.join(', ')} in its place, and again as it was`,
  shows: ['oddListings', 'pages', 'ends', 'records', 'invalidRequests'],
  madeUp,
  send: (run) => sendOdd(run, { plain, odd }),
}));

export const LISTING_BLOCKS: readonly Block[] = [
  ...ODD_BLOCKS,
  {
    requests: `GET /measurements?limit=${HIGHEST_LIMIT}, and the pages after it, ${MAX_PAGES} in all, then pages that cut the listing into equal parts`,
    shows: ['pages', 'ends', 'records'],
    send: walk,
  },
];

/** Refusals must come twice, and a listing that has changed settles little. */
export const LISTINGS_AGAIN: readonly Block[] = [
  {
    requests: `GET /measurements and GET /measurements?limit=${HIGHEST_LIMIT} once more`,
    shows: ['pages', 'ends'],
    reserves: () => 2,
    send: async (run) => {
      await list(run, '');
      await list(run, `limit=${HIGHEST_LIMIT}`);
    },
  },
  ...ODD.map(({ plain, odd }) => ({
    requests: `the listings like ${pathOf(plain)} once more, if --max-requests allows`,
    shows: ['oddListings', 'invalidRequests'] as const,
    send: async (run: Run) => {
      if (run.left() >= odd.length + 2) await sendOdd(run, { plain, odd });
    },
  })),
];

function list({ get }: Run, query: string): Promise<Sample | undefined> {
  return get({ operationId: 'listMeasurements', query: [...new URLSearchParams(query)] });
}

async function sendOdd(run: Run, { plain, odd }: Pick<OddListings, 'plain' | 'odd'>) {
  await list(run, plain);
  for (const query of odd) {
    if (run.left() < MAX_FOR_ONE) break;
    const cursor = query === FORGED ? forged(run) : query === CHANGED ? changed(run) : undefined;
    const isMade = query === FORGED || query === CHANGED;
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

/** Reads the listing to its end, then cuts it into full pages. */
async function walk(run: Run): Promise<void> {
  const { isEnd, sizes, cursor } = await readPages(run, HIGHEST_LIMIT);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (!isEnd || size < 2) return;
  const last = sizes.at(-1) ?? 0;
  if (cursor !== '' && last > 0) await readPages(run, last, cursor);
  const most = cursor === '' ? HIGHEST_LIMIT : Math.max(...sizes);
  const parts = Array.from({ length: MAX_PAGES }, (_, at) => size / (at + 1));
  const [whole, equal] = parts.filter((one) => Number.isInteger(one) && one <= most);
  const half = Math.ceil(size / 2);
  for (const limit of new Set([whole, equal])) {
    if (limit !== undefined && run.left() > 0) await readPages(run, limit);
  }
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
