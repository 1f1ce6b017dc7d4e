import { keyOf } from '../seen/lost-responses.js';
import { listingOf, modelRecordsOf, nextCursorOf } from './known-records.js';
import { isPlain } from './listing-requests.js';
import { createModels } from './model.js';
import { ask, type Question } from './predict.js';
import { meaningsAmong } from './refusals.js';
import type { Seen } from './views.js';

/** What all questions know: the account's samples, what they show, and a model of the service. */
export type Known = ReturnType<typeof knownOf>;

export function knownOf(own: readonly Seen[]) {
  const modelOf = createModels();
  const prints = printsOf(own);
  const isFlaky = (seen: Seen) => (prints.get(keyOf(seen))?.size ?? 0) > 1;
  const listings = own.filter(({ request }) => request.operationId === 'listMeasurements');
  const issued: ReadonlySet<string> = new Set(listings.flatMap((one) => nextCursorOf(one) ?? []));
  const plain = listings.filter((one) => isPlain(one, issued) && one.view.kind === 'ok');
  const listing = listingOf(plain);
  const isRefusedAs = meaningsAmong(own);
  return {
    ...{ own, listings, issued, plain, listing, modelOf, isRefusedAs },
    model: modelOf(modelRecordsOf(own, listing.rows)),
    isMoving: plain.some(isFlaky),
    ask: (question: Omit<Question, 'isFlaky' | 'isRefusedAs'> & Partial<Question>) =>
      ask({ isFlaky, isRefusedAs, ...question }),
  };
}

/** What each read got, in all its forms. */
function printsOf(samples: readonly Seen[]): ReadonlyMap<string, ReadonlySet<string>> {
  const prints = new Map<string, Set<string>>();
  for (const seen of samples) {
    const isUsable = seen.view.kind !== 'lost' && seen.view.kind !== 'wall';
    if (!isUsable || seen.request.operationId.startsWith('delete')) continue;
    const key = keyOf(seen);
    prints.set(key, (prints.get(key) ?? new Set()).add(seen.print));
  }
  return prints;
}
