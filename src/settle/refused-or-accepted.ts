import type { DecisionId, DecisionValue } from '../decisions/ledger.js';
import { describeExchange } from './evidence.js';
import { type Exchange, isRefusal } from './exchange.js';
import type { Observation, Seen } from './observation.js';
import { listingsWithOnly, type Oddity } from './odd-listings.js';
import {
  comparedWithFirsts,
  type IsFirstPage,
  leastSizeOf,
  type Page,
  pagesOf,
  readPage,
} from './pages.js';

/** A decision between refusing a listing and answering it in one certain way. */
type ListingDecision = {
  [Id in DecisionId]: 'reject' extends DecisionValue<Id>
    ? DecisionValue<Id> extends string
      ? Id
      : never
    : never;
}[DecisionId];

/** What a page that the service answered with tells. */
export interface Answered {
  /**
   * True if it is what the decision's other value describes, false if no value describes it;
   * undefined if the listing has too few measurements to tell.
   */
  readonly isAsDescribed: boolean | undefined;
  readonly told: string;
}

/** What is known of the listing. */
export interface KnownListing {
  readonly leastSize: number;
  /** How many measurements the first page of a limit has, if it was seen. */
  readonly sizes: ReadonlyMap<Page['limit'], number>;
  readonly isFirst: IsFirstPage;
}

/** Reads whether listings with this one oddity are refused, or what they are answered with. */
export function refusedOrAccepted<Id extends ListingDecision>(
  oddity: Oddity,
  accepted: DecisionValue<Id>,
  read: (page: Page, listing: KnownListing) => Answered,
): (seen: Seen) => readonly Observation<Id>[] {
  const rejected = 'reject' as DecisionValue<Id>;
  const valuesOf = ({ isAsDescribed }: Answered) => (isAsDescribed === false ? [] : [accepted]);
  return (seen) => {
    const pages = pagesOf(seen);
    const firsts = pages.filter(({ offset }) => offset === 0).reverse();
    const listing = {
      leastSize: leastSizeOf(pages),
      sizes: new Map(firsts.map(({ limit, measurements }) => [limit, measurements.length])),
      isFirst: comparedWithFirsts(pages),
    };
    const readings = listingsWithOnly(oddity, seen).flatMap((exchange) => {
      if (isRefusal(exchange)) return [observation(exchange, [rejected], 'refused')];
      const page = readPage(exchange);
      if (page === undefined) return withoutPage(exchange);
      const answered = read(page, listing);
      const isWeak = answered.isAsDescribed === undefined;
      return [{ ...observation(exchange, valuesOf(answered), answered.told), isWeak }];
    });
    // With too few measurements a page tells only that the service does not refuse.
    return readings.some(({ isWeak }) => !isWeak) ? readings : [];
  };
}

function withoutPage(exchange: Exchange) {
  const isKnown = exchange.answer.body.kind !== 'unknown';
  return isKnown ? [observation(exchange, [], 'without measurements')] : [];
}

function observation<Value>(exchange: Exchange, explainedBy: readonly Value[], told: string) {
  return { explainedBy, evidence: describeExchange(exchange, told), isWeak: false };
}

/** Whether the page has exactly this many of more measurements; undefined if there are no more. */
export function hasExactly(
  expected: number,
  { measurements: { length } }: Page,
  { leastSize }: KnownListing,
): boolean | undefined {
  if (length > expected) return false;
  return leastSize > length ? length === expected : undefined;
}

/** The number of measurements in words. */
export function countOf({ measurements: { length } }: Page): string {
  return length === 1 ? '1 measurement' : `${length} measurements`;
}
