import { parameterOf } from '../exchange.js';
import type { Observer } from '../observation.js';
import { HIGHEST_LIMIT, numberOf } from '../pages.js';
import { countOf, hasExactly, refusedOrAccepted } from '../refused-or-accepted.js';

/** Reads the answers to a limit below 1 or above 1000 (section 8). */
export const limitOutOfBounds: Observer<'limit-out-of-bounds'> = {
  wanted: 'limits of 0 and 1001, sent to a listing of more than 1000 measurements',
  observe: refusedOrAccepted('limit-out-of-bounds', 'clamp', (page, listing) => {
    const limit = numberOf(parameterOf(page.exchange, 'limit') ?? '');
    const bound = limit < 1 ? 1 : HIGHEST_LIMIT;
    // A service may return fewer than the limit.
    const expected = listing.sizes.get(bound) ?? bound;
    return { isAsDescribed: hasExactly(expected, page, listing), told: countOf(page) };
  }),
};
