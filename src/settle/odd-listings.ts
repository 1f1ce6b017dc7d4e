import { type Exchange, isRefusal, isSuccess, successBody } from './exchange.js';
import type { Seen } from './observation.js';
import { HIGHEST_LIMIT, isOwnListing, KNOWN_PARAMETERS, numberOf, pagesOf } from './pages.js';

/** The cursor that a probe makes up; the service cannot have issued it. */
export const MADE_UP_CURSOR = 'usage-billing-mock-settle-made-this-up';

/** The query parameter that a probe makes up; no service knows it. */
export const MADE_UP_PARAMETER = 'usageBillingMockSettle';

/** In which way a listing is asked for other than as the specification shows. */
export type Oddity = InvalidOddity | 'foreign-parameter' | 'repeated-parameter' | 'issued-cursor';

/** The oddities that a request cannot have and be valid. */
type InvalidOddity =
  | 'made-up-cursor'
  | 'made-up-parameter'
  | 'empty-parameter'
  | 'limit-out-of-bounds'
  | 'fractional-limit'
  | 'limit-not-a-number';

/** A listing that was asked for in an unusual way, and either answered or refused. */
interface OddListing {
  readonly exchange: Exchange;
  readonly oddities: readonly Oddity[];
}

/**
 * The listings that have oddities. None if no usual one was answered: then a refusal may have
 * nothing to do with what is odd.
 */
export function oddListings(seen: Seen): readonly OddListing[] {
  if (pagesOf(seen).length === 0) return [];
  const issued = new Set(seen.exchanges.map((exchange) => successBody(exchange)?.nextCursor));
  return seen.exchanges
    .filter((exchange) => isOwnListing(exchange) && (isSuccess(exchange) || isRefusal(exchange)))
    .map((exchange) => ({ exchange, oddities: odditiesOf(exchange, issued) }))
    .filter(({ oddities }) => oddities.length > 0);
}

/** The listings that have this oddity and no other. */
export function listingsWithOnly(oddity: Oddity, seen: Seen): readonly Exchange[] {
  return oddListings(seen)
    .filter(({ oddities }) => oddities.every((one) => one === oddity))
    .map(({ exchange }) => exchange);
}

/** True if everything about the listing that is odd is invalid. */
export function isInvalid({ oddities }: OddListing): boolean {
  return !oddities.some((oddity) => MAY_BE_VALID.includes(oddity));
}

const MAY_BE_VALID: readonly Oddity[] = [
  'foreign-parameter',
  'repeated-parameter',
  'issued-cursor',
];

function odditiesOf(exchange: Exchange, issued: ReadonlySet<unknown>): readonly Oddity[] {
  const { query, token } = exchange.call;
  const isRepeated = new Set(query.map(([name]) => name)).size < query.length;
  const oddities = query.map(([name, value]) => {
    if (name === MADE_UP_PARAMETER) return 'made-up-parameter';
    if (!KNOWN_PARAMETERS.includes(name)) return 'foreign-parameter';
    if (value === '') return 'empty-parameter';
    if (name === 'limit') return oddityOfLimit(value);
    // What a recording leaves out may have issued it.
    const isMadeUp = value === MADE_UP_CURSOR || (token === 'given' && !issued.has(value));
    return isMadeUp ? 'made-up-cursor' : 'issued-cursor';
  });
  const known = oddities.filter((oddity) => oddity !== undefined);
  const isContinued = known.every((oddity) => oddity === 'issued-cursor') && !isRepeated;
  if (isContinued) return [];
  return isRepeated ? [...known, 'repeated-parameter'] : known;
}

function oddityOfLimit(text: string): Oddity | undefined {
  const limit = numberOf(text);
  // Other notations of numbers may be read as one.
  if (Number.isNaN(limit)) return Number.isNaN(Number(text)) ? 'limit-not-a-number' : undefined;
  if (limit < 1 || limit > HIGHEST_LIMIT) return 'limit-out-of-bounds';
  return Number.isInteger(limit) ? undefined : 'fractional-limit';
}
