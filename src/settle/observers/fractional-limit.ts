import { parameterOf } from '../exchange.js';
import type { Observer } from '../observation.js';
import { numberOf } from '../pages.js';
import { countOf, hasExactly, refusedOrAccepted } from '../refused-or-accepted.js';

/** Reads the answers to a limit between two whole numbers (section 4.4). */
export const fractionalLimit: Observer<'fractional-limit'> = {
  wanted: 'a limit of 2.5, sent to a listing of at least 3 measurements',
  observe: refusedOrAccepted('fractional-limit', 'round-down', (page, listing) => {
    const limit = numberOf(parameterOf(page.exchange, 'limit') ?? '');
    return { isAsDescribed: hasExactly(Math.floor(limit), page, listing), told: countOf(page) };
  }),
};
