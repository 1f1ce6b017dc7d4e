import { parameterOf } from '../exchange.js';
import type { Observer } from '../observation.js';
import { HIGHEST_LIMIT, numberOf } from '../pages.js';
import {
  countOf,
  hasExactly,
  type KnownListing,
  refusedOrAccepted,
} from '../refused-or-accepted.js';

/** Reads the answers to a limit below 1 or above 1000 (section 8). */
export const limitOutOfBounds: Observer<'limit-out-of-bounds'> = {
  wanted: 'limits of 0 and 1001, sent to a listing of more than 1000 measurements',
  observe: refusedOrAccepted('limit-out-of-bounds', 'clamp', (page, listing) => {
    const limit = numberOf(parameterOf(page.exchange, 'limit') ?? '');
    const expected = sizeAt(limit < 1 ? 1 : HIGHEST_LIMIT, listing);
    return { isAsDescribed: hasExactly(expected, page, listing), told: countOf(page) };
  }),
};

/** How many measurements the first page has with this limit: a service may return fewer. */
function sizeAt(bound: number, { pages }: KnownListing): number {
  const first = pages.find(({ offset, limit }) => offset === 0 && limit === bound);
  return first?.measurements.length ?? bound;
}
