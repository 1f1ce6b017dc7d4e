import type { DecisionId } from '#spec';
import { type Found, judge, type Question } from '../judge.js';
import { listingOf, modelRecordsOf, nextCursorOf } from '../known-records.js';
import { createModels } from '../model.js';
import { keyOf } from '../seen/lost-responses.js';
import type { Seen } from '../views.js';
import { isPlain } from './listing-requests.js';
import { meaningsAmong } from './refusals.js';

export type Answers = ReadonlyMap<DecisionId, Found>;

/** What all questions know: the account's samples, what they show, and a model of the service. */
export type Known = ReturnType<typeof knownOf>;

export function knownOf(own: readonly Seen[]) {
  const modelOf = createModels();
  const prints = printsOf(own);
  const isFlaky = (seen: Seen) => (prints.get(keyOf(seen))?.size ?? 0) > 1;
  const listings = own.filter(({ request }) => request.operationId === 'listMeasurements');
  const issued: ReadonlySet<string> = new Set(listings.flatMap((one) => nextCursorOf(one) ?? []));
  const pages = listings.filter((one) => isPlain(one, issued) && one.view.kind === 'ok');
  const listing = listingOf(pages);
  const records = modelRecordsOf(own, listing.rows);
  const isRefusedAs = meaningsAmong(own);
  return {
    ...{ own, listings, issued, pages, listing, records, modelOf },
    model: modelOf(records),
    isMoving: pages.some(isFlaky),
    ask: (question: Omit<Question, 'isFlaky' | 'isRefusedAs'> & Partial<Question>) =>
      judge({ isFlaky, isRefusedAs, ...question }),
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

/** Leaves a decision open that is settled, for a reason. */
export function doubted(
  answers: Answers,
  id: DecisionId,
  reason: string | false | undefined,
): Answers {
  const found = answers.get(id);
  if (!reason || found?.verdict !== 'settled') return answers;
  const { value: _, ...rest } = found;
  return new Map([...answers, [id, { ...rest, verdict: 'undecided', reason }]]);
}
