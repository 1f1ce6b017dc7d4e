import { parameterOf } from '../exchange.js';
import type { Observer } from '../observation.js';
import { DEFAULT_LIMIT } from '../pages.js';
import { countOf, hasExactly, refusedOrAccepted } from '../refused-or-accepted.js';
import { pageInWords } from './invalid-cursor.js';

/** Reads the answers to `cursor=` and `limit=` (section 4.4). */
export const emptyParameter: Observer<'empty-parameter'> = {
  wanted: 'cursor= and limit= without a value, sent to a listing of more than 10 measurements',
  observe: refusedOrAccepted('empty-parameter', 'absent', (page, listing) => {
    if (parameterOf(page.exchange, 'limit') === '') {
      return { isAsDescribed: hasExactly(DEFAULT_LIMIT, page, listing), told: countOf(page) };
    }
    const isAsDescribed = listing.isFirst(page, page.limit ?? DEFAULT_LIMIT);
    return { isAsDescribed, told: pageInWords(isAsDescribed) };
  }),
};
