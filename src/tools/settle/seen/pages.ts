import { isObject } from '../../../core/values/json-value.js';
import {
  isOfAccount,
  isSuccess,
  type Members,
  parameterOf,
  type Sample,
  type Seen,
  successBody,
} from './samples.js';

/** One page of the listing, with unchecked members. */
export interface Page {
  readonly sample: Sample;
  readonly measurements: readonly Members[];
  readonly total: unknown;
  readonly hasMore: unknown;
  readonly nextCursor: unknown;
  /** The limit that was sent, or else 10; undefined if it is not a whole number in bounds. */
  readonly limit: number | undefined;
  /** The latest page whose `nextCursor` was sent as `cursor`, if any: one with this limit, if any. */
  readonly previous: Page | undefined;
  /** How many measurements precede it; undefined if no page that was seen issued its cursor. */
  readonly offset: number | undefined;
}

/** The limit of a request that has none (section 8). */
const DEFAULT_LIMIT = 10;
/** The highest limit that the specification allows (section 8). */
export const HIGHEST_LIMIT = 1000;
export const KNOWN_PARAMETERS = ['limit', 'cursor'];

/**
 * The pages that were requested as the specification says: without unknown, empty or repeated
 * parameters, with a limit in bounds, and with no cursor but one that an earlier page issued.
 */
export function pagesOf({ samples }: Pick<Seen, 'samples'>): readonly Page[] {
  const pages: Page[] = [];
  const issuers: Issuers = new Map();
  for (const sample of samples.filter(isPlainListing)) {
    const page = readPage(sample, issuers);
    if (!page || !isInRun(page, pages)) continue;
    pages.push(page);
    const ofCursor = issuers.get(page.nextCursor) ?? new Map<unknown, Page>();
    issuers.set(page.nextCursor, ofCursor.set(page.limit, page).set(ANY_LIMIT, page));
  }
  return pages.filter(({ limit, offset }) => limit !== undefined && offset !== undefined);
}

/**
 * True if the page has the limit of the one before it, or begins like one that does: with another
 * limit, a service may take the same cursor for another place.
 */
function isInRun(
  { sample, limit, previous, measurements }: Page,
  earlier: readonly Page[],
): boolean {
  if (!previous || previous.limit === limit) return true;
  const [first] = measurements;
  const cursor = parameterOf(sample, 'cursor');
  return earlier.some(
    (page) =>
      parameterOf(page.sample, 'cursor') === cursor &&
      page.limit === page.previous?.limit &&
      first?.id !== undefined &&
      page.measurements[0]?.id === first.id,
  );
}

/** The latest page to issue each cursor, by its limit. */
type Issuers = Map<unknown, Map<unknown, Page>>;
const ANY_LIMIT = 'any';

/**
 * Reads a page from a successful listing; of those that issued its cursor, one with its limit
 * precedes it.
 */
export function readPage(sample: Sample, issuers: Issuers = new Map()): Page | undefined {
  const { measurements, total, hasMore, nextCursor } = successBody(sample) ?? {};
  if (!Array.isArray(measurements)) return undefined;
  const cursor = parameterOf(sample, 'cursor');
  const limit = limitOf(parameterOf(sample, 'limit'));
  const issued = cursor === undefined ? undefined : issuers.get(cursor);
  const previous = issued?.get(limit) ?? issued?.get(ANY_LIMIT);
  const after = previous?.offset === undefined ? undefined : endOf(previous);
  return {
    sample,
    measurements: measurements.filter(isObject),
    total,
    hasMore,
    nextCursor,
    limit,
    previous,
    offset: cursor === undefined ? 0 : after,
  };
}

/** The longest runs of consecutive pages, each starting with a first page. */
function runsOf(pages: readonly Page[]): readonly (readonly Page[])[] {
  const continued = new Set(pages.map(({ previous }) => previous));
  return pages.filter((page) => !continued.has(page)).map(runTo);
}

function runTo(last: Page): readonly Page[] {
  const run = [last];
  for (let page = last.previous; page; page = page.previous) run.push(page);
  return run.reverse();
}

export type Listing = ReturnType<typeof listingOf>;

/** Reads pages together, leaving out what is doubtful because records came or went meanwhile. */
export function listingOf(pages: readonly Page[]) {
  const firsts = pages.filter(({ offset }) => offset === 0);
  const longest = pages.reduce((most, { measurements }) => Math.max(most, measurements.length), 0);
  const leastSize = pages.reduce((size, page) => Math.max(size, endOf(page)), 0);
  const followed = pages.filter((page) => page.hasMore === true && endOf(page) < leastSize);
  const short = followed.filter(({ limit = 0, measurements }) => measurements.length < limit);
  // The service was asked for one more than the longest page has, and did not return it.
  const isCapped = short.some(({ limit }) => limit === longest + 1);
  const isMoving = hasMoved(firsts);
  const isAlone = isInTurn(firsts);
  const isSteady = isMoving ? steadinessOf(pages) : () => true;
  return {
    firsts,
    /** The length of the longest page. */
    longest,
    /** A lower bound on the number of measurements in the listing. */
    leastSize,
    isMoving,
    /** True if measurements on a first page changed places, whatever else came and went. */
    isReordered: firsts.some((page, at) => !haveSameOrder(page, firsts[at - 1] ?? page)),
    /**
     * The most measurements that the service puts on a page: the highest limit, unless it cut a
     * page short; undefined if it did, but the length was not verified.
     */
    effectiveLimit: short.length === 0 ? HIGHEST_LIMIT : isCapped ? longest : undefined,
    /** True if a page ended because of its limit, although more followed. */
    isLimitKept: followed.some(({ limit, measurements }) => measurements.length === limit),
    /** True if the first page was the same before and after the given page. */
    isSteady,
    /** True if first pages with the same limit disagree on whether more follows. */
    isEndMoving: differ(firsts, ({ hasMore }) => hasMore),
    /** The longest runs of consecutive pages during which no records came or went. */
    runs: runsOf(pages).filter((run) => isSteady(run.at(-1)) && !(isAlone && run.length > 1)),
  };
}

function endOf({ offset = 0, measurements }: Page): number {
  return offset + measurements.length;
}

/** True if records came or went while the listing was read: its first page changed. */
function hasMoved(firsts: readonly Page[]): boolean {
  let [longest] = firsts;
  for (const page of firsts) {
    if (longest === undefined || !haveSameStart(page, longest)) return true;
    if (page.measurements.length > longest.measurements.length) longest = page;
  }
  return differ(firsts, ({ total }) => total);
}

/** True if first pages with the same limit differ in this member. */
function differ(firsts: readonly Page[], memberOf: (page: Page) => unknown): boolean {
  const latest = new Map<Page['limit'], Page>();
  return firsts.some((page) => {
    const before = latest.get(page.limit) ?? page;
    latest.set(page.limit, page);
    return memberOf(page) !== memberOf(before);
  });
}

/** True if totals go up and down: several replicas may respond in turn. */
function isInTurn(firsts: readonly Page[]): boolean {
  // A total that counts the page alone depends on the limit.
  if (firsts.every(({ total, measurements }) => total === measurements.length)) return false;
  const steps = firsts.map(
    ({ total }, at) => Number(total) - Number(firsts[at - 1]?.total ?? total),
  );
  return steps.some((step) => step > 0) && steps.some((step) => step < 0);
}

/**
 * Creates a function that returns true if the first page with the same limit was the same before
 * and after the given page.
 */
function steadinessOf(pages: readonly Page[]): (page: Page | undefined) => boolean {
  const starts = new Map<Page | undefined, Page>();
  for (const page of pages) starts.set(page, starts.get(page.previous) ?? page);
  const steady = new Set<Page | undefined>();
  const next = new Map<Page['limit'], Page>();
  for (const page of pages.toReversed()) {
    const start = starts.get(page) ?? page;
    const after = next.get(start.limit);
    const isSame = after?.total === start.total && after !== undefined;
    if (isSame && haveSameStart(after, start)) steady.add(page);
    if (page.offset === 0) next.set(page.limit, page);
  }
  return (page) => steady.has(page);
}

/** True if the shorter of two first pages is the beginning of the other. */
function haveSameStart({ measurements: one }: Page, { measurements: other }: Page): boolean {
  const length = Math.min(one.length, other.length);
  return [...Array(length).keys()].every((at) => one[at]?.id === other[at]?.id);
}

/** True if the measurements that are on both pages have the same order on both. */
function haveSameOrder({ measurements: one }: Page, { measurements: other }: Page): boolean {
  const places = new Map(other.map(({ id }, at) => [id, at]));
  // The place of an id that occurs twice is ambiguous.
  const areIds = places.size === other.length;
  const common = areIds ? [...new Set(one.map(({ id }) => places.get(id) ?? -1))] : [];
  const found = common.filter((place) => place >= 0);
  return found.every((place, at) => place >= (found[at - 1] ?? 0));
}

export function isOwnListing(sample: Sample): boolean {
  return sample.request.operationId === 'listMeasurements' && isOfAccount(sample);
}

function isPlainListing(sample: Sample): boolean {
  const { query } = sample.request;
  return (
    isOwnListing(sample) &&
    isSuccess(sample) &&
    new Set(query.map(([name]) => name)).size === query.length &&
    query.every(([name, value]) => KNOWN_PARAMETERS.includes(name) && value !== '')
  );
}

/** Undefined unless it is a whole number in bounds. */
function limitOf(text = String(DEFAULT_LIMIT)): number | undefined {
  const limit = numberOf(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT ? limit : undefined;
}

/** Parses a plain decimal number; NaN for any other text. */
export function numberOf(text = ''): number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
