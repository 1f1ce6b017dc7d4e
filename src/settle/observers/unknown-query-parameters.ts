import { describeExchange } from '../evidence.js';
import type { Observation, Observer, Seen } from '../observation.js';
import { listingsWithOnly } from '../odd-listings.js';
import { DEFAULT_LIMIT } from '../pages.js';
import { refusedOrAccepted } from '../refused-or-accepted.js';
import { pageInWords } from './invalid-cursor.js';

/** Reads the answers to query parameters that the specification does not show (section 4.4). */
export const unknownQueryParameters: Observer<'unknown-query-parameters'> = {
  wanted: 'a query parameter that the service cannot know',
  observe: (seen) => [...observeMadeUp(seen), ...observeForeign(seen)],
};

const observeMadeUp = refusedOrAccepted<'unknown-query-parameters'>(
  'made-up-parameter',
  'ignore',
  (page, { isFirst }) => {
    const isAsDescribed = isFirst(page, page.limit ?? DEFAULT_LIMIT);
    return { isAsDescribed, told: pageInWords(isAsDescribed) };
  },
);

/** The service may know a parameter that is not shown: whether it takes it tells nothing. */
function observeForeign(seen: Seen): readonly Observation<'unknown-query-parameters'>[] {
  return listingsWithOnly('foreign-parameter', seen).map((exchange) => ({
    explainedBy: ['reject', 'ignore'],
    evidence: describeExchange(exchange, 'which the service may know'),
  }));
}
