import { count } from '../../../core/values/plural.js';
import { isRandom } from '../seen/made-up-values.js';
import { listingsWithOnly, type Oddity } from '../seen/oddities.js';
import {
  DEFAULT_LIMIT,
  HIGHEST_LIMIT,
  isOwnListing,
  isValidLimit,
  listingOf,
  numberOf,
  type Page,
  pagesOf,
  readPage,
} from '../seen/pages.js';
import { isRefusal, parameterOf, type Sample, type Seen } from '../seen/samples.js';
import { agreed, type ObserversOf, tell } from './observer.js';

/** Decisions whose values either refuse a listing or return a certain page. */
type Decisions =
  | 'invalid-cursor'
  | 'empty-parameter'
  | 'fractional-limit'
  | 'limit-out-of-bounds'
  | 'unknown-query-parameters';

interface Reading {
  /**
   * True if the value other than `reject` describes the page, false if no value does; undefined if
   * the page does not tell.
   */
  readonly isAsDescribed: boolean | undefined;
  readonly told: string;
}

type KnownListing = ReturnType<typeof knownListing>;

type Read = (page: Page, listing: KnownListing) => Reading | undefined;

/** Judge the responses to listings with exactly one oddity (sections 4.4 and 8). */
export const ODD_LISTINGS: ObserversOf<Decisions> = {
  'invalid-cursor': {
    wanted: 'a made-up cursor, sent to a listing that is not empty',
    observe: refusedOrReturned('made-up-cursor', 'first-page', (page, listing) => {
      const reading = readFirstPage(page, listing);
      // After the service's own prefix, random letters may be a valid position.
      const isForged = isRandom(parameterOf(page.sample, 'cursor') ?? '');
      const mayBeValid = isForged && !isRandom(parameterOf(page.sample, 'cursor') ?? '', [0]);
      return mayBeValid && reading.isAsDescribed === false ? undefined : reading;
    }),
  },
  'empty-parameter': {
    wanted: 'cursor= and limit= without a value, sent to a listing of more than 10 measurements',
    observe: refusedOrReturned(
      'empty-parameter',
      'absent',
      (page, listing) =>
        parameterOf(page.sample, 'limit') === ''
          ? readLength(page, listing, DEFAULT_LIMIT)
          : readFirstPage(page, listing),
      [
        ['cursor=', (sample) => parameterOf(sample, 'cursor') === ''],
        ['limit=', (sample) => parameterOf(sample, 'limit') === ''],
      ],
    ),
  },
  'fractional-limit': {
    wanted: 'limits of 2.5, 2.7 and 3.5, sent to a listing of at least 5 measurements',
    observe: (seen) =>
      agreed(
        refusedOrReturned(
          'fractional-limit',
          'round-down',
          (page, listing) => readLength(page, listing, Math.floor(limitOf(page.sample))),
          FRACTIONS,
        )(seen),
        'a different fraction gets a different response',
      ),
  },
  'limit-out-of-bounds': {
    wanted: 'limits of 0 and 1001, sent to a listing of more measurements than a page has',
    observe: refusedOrReturned(
      'limit-out-of-bounds',
      'clamp',
      (page, listing) =>
        limitOf(page.sample) >= 1
          ? readLength(page, listing, listing.effectiveLimit)
          : readLength(page, listing, listing.effectiveLimit === 1 ? undefined : 1),
      [
        ['a limit of 0', (sample) => limitOf(sample) === 0],
        [`a limit above ${HIGHEST_LIMIT}`, (sample) => limitOf(sample) > HIGHEST_LIMIT],
      ],
    ),
  },
  'unknown-query-parameters': {
    wanted: 'a query parameter that the service cannot know',
    observe: (seen) => [
      ...refusedOrReturned('made-up-parameter', 'ignore', readFirstPage)(seen),
      // The service may know this parameter, so its response proves nothing.
      ...listingsWithOnly('foreign-parameter', seen).map((sample) =>
        tell(sample, 'with a parameter that the service may know', 'reject', 'ignore'),
      ),
    ],
  },
};

/** A case, named by a noun phrase, that needs a response before the decision is settled. */
type Part = readonly [name: string, isOf: (sample: Sample) => boolean];

/** No two ways of rounding (down, half up, half to even) agree on all of these. */
const FRACTIONS: readonly Part[] = [
  ['2.5', (sample) => limitOf(sample) % 2 === 0.5],
  ['3.5', (sample) => limitOf(sample) % 2 === 1.5],
  ['2.7', (sample) => limitOf(sample) % 1 > 0.5],
];

/** Statuses that say a path or record is missing, not that the request is invalid (section 7). */
const NOT_THERE = [404, 410];

/**
 * Creates an observer of listings with this one oddity: were they refused, and if not, what was
 * returned? The decision stays open until each part has a conclusive response.
 */
function refusedOrReturned<const Value extends string>(
  oddity: Oddity,
  other: Value,
  read: Read,
  parts: readonly Part[] = [],
) {
  return (seen: Seen) => {
    const listing = knownListing(seen);
    const refused = seen.samples.filter(isRefusedLimit).map(limitOf);
    const readings = listingsWithOnly(oddity, seen).flatMap((sample) => {
      if (isRefusal(sample)) {
        const isRejected = !NOT_THERE.includes(sample.response.status);
        const observation = tell(sample, 'refused', isRejected ? 'reject' : undefined);
        // If the limit is refused even without the oddity, the refusal proves nothing.
        const isConclusive = !refused.some((limit) => Math.floor(limitOf(sample)) === limit);
        return isConclusive ? { sample, isConclusive, ...observation } : [];
      }
      const page = readPage(sample);
      if (!page && sample.response.body.kind === 'unknown') return [];
      const reading = page
        ? read(page, listing)
        : { isAsDescribed: false, told: 'without measurements' };
      if (reading === undefined) return [];
      const { isAsDescribed, told } = reading;
      const value = isAsDescribed === false ? undefined : other;
      return { sample, isConclusive: isAsDescribed !== undefined, ...tell(sample, told, value) };
    });
    // With too few measurements, a page shows only that the service does not refuse.
    if (!readings.some(({ isConclusive }) => isConclusive)) return [];
    const untold = parts.find(
      ([, isOf]) => !readings.some(({ isConclusive, sample }) => isConclusive && isOf(sample)),
    );
    const open = untold && `nothing shows what the service does with ${untold[0]}`;
    return readings.map(({ explainedBy, evidence, samples }) => ({
      explainedBy,
      evidence,
      samples,
      open,
    }));
  };
}

function knownListing(seen: Seen) {
  const listing = listingOf(pagesOf(seen));
  const firsts = [...listing.firsts].reverse();
  const known = new Map<number, ReadonlySet<string>>();
  const idsOfFirsts = (limit: number) => {
    const complete = firsts.filter(
      (page) => page.measurements.length >= limit || page.hasMore === false,
    );
    const ids = complete.map((page) =>
      idsIn(page.measurements.slice(0, page.limit === limit ? undefined : limit)),
    );
    return new Set(ids.filter((one) => one !== ''));
  };
  return {
    ...listing,
    /** True if some first page is longer than both this limit and its own. */
    isLeast: (limit: number) =>
      firsts.some((page) => page.measurements.length > Math.max(limit, page.limit ?? limit)),
    /** The length of the first page, by its limit. */
    sizes: new Map(firsts.map(({ limit, measurements }) => [limit, measurements.length])),
    /**
     * True if this is the first page for its limit, false if it is another; undefined if nothing
     * shows which.
     */
    isFirst({ measurements, limit = DEFAULT_LIMIT }: Page): boolean | undefined {
      const ids = known.get(limit) ?? idsOfFirsts(limit);
      known.set(limit, ids);
      const areKnown = measurements.every(({ id }) => id !== undefined);
      if (ids.size === 0 || !areKnown) return undefined;
      // While records come and go, this may have been the first page for a moment.
      return ids.has(idsIn(measurements)) || (listing.isMoving ? undefined : false);
    },
  };
}

function idsIn(measurements: Page['measurements']): string {
  return measurements.map((measurement) => JSON.stringify(measurement.id ?? measurement)).join();
}

function readFirstPage(page: Page, { isFirst }: KnownListing): Reading {
  const isAsDescribed = isFirst(page);
  if (isAsDescribed === undefined) return { isAsDescribed, told: 'a page that tells nothing' };
  return { isAsDescribed, told: isAsDescribed ? 'the first page' : 'not the first page' };
}

/**
 * Compares the page's length with that of a page with this limit. Inconclusive if the listing has
 * no more measurements, or if other limits give pages of this length, too.
 */
function readLength(
  page: Page,
  { leastSize, sizes, effectiveLimit, isLeast }: KnownListing,
  limit: number | undefined,
): Reading {
  const { length } = page.measurements;
  const told = count(length, 'measurement');
  const unknown = { isAsDescribed: undefined, told };
  if (limit === undefined || limit > (effectiveLimit ?? 0)) return unknown;
  const size = sizes.get(limit) ?? limit;
  if (limit !== DEFAULT_LIMIT && (size > limit || isLeast(limit))) return unknown;
  // A service may have another default than 10.
  if (limit === DEFAULT_LIMIT && length > size && !sizes.has(limit)) return unknown;
  return {
    isAsDescribed: length > size ? false : leastSize > length ? length === size : undefined,
    told,
  };
}

/** The limit that was sent; NaN if it is not a decimal number. */
function limitOf(sample: Sample): number {
  return numberOf(parameterOf(sample, 'limit'));
}

function isRefusedLimit(sample: Sample): boolean {
  const isAlone = sample.request.query.length === 1;
  return isOwnListing(sample) && isRefusal(sample) && isAlone && isValidLimit(limitOf(sample));
}
