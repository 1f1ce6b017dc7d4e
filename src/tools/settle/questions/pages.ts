import { type Expected, expectedOf } from '../judge.js';
import { HIGHEST_LIMIT, isDate, nextCursorOf, type Placed, rivalOf } from '../known-records.js';
import type { Hypothesis, Model } from '../model.js';
import { instantOf, type Members, parameterOf, type SampleRequest } from '../seen/samples.js';
import { type Seen, viewOf } from '../views.js';
import { ASKED, asQuestion } from './asked-decisions.js';
import { type Answers, doubted, type Known } from './known.js';
import { listingRequest } from './listing-requests.js';

/** The fields that an order is of; the model can predict it only if all rows have them. */
const FIELDS: Readonly<Record<string, { readonly of: string; isIn(value: unknown): boolean }>> = {
  'usage-date': { of: 'usageDate', isIn: isDate },
  'newest-first': { of: 'usageDate', isIn: isDate },
  'created-at': { of: 'createdAt', isIn: (value) => instantOf(value) !== undefined },
  id: { of: 'id', isIn: (value) => typeof value === 'string' },
};

const FEWEST_ORDERED = 5;

/** Asks the model for the pages that were seen, over the rows that they show. */
export async function askPages(known: Known): Promise<Answers> {
  return new Map([...(await askPlaces(known)), ...(await askEnds(known))]);
}

/** Asks what pages that nothing follows look like, whatever rows come and go. */
async function askEnds({ pages, listing, modelOf, ask }: Known): Promise<Answers> {
  const model = modelOf({});
  const samples = pages.filter(({ view }) => view.parts.hasMore === 'false');
  return ask({
    ...asQuestion(ASKED.ends),
    samples,
    needs: { 'final-cursor': hasBothEnds(listing) ? 2 : 1 },
    isFlaky: () => false,
    facetOf: isFirst,
    predict: async (hypothesis) => {
      const request = pageRequest(1, undefined);
      const response = await model.read(hypothesis, request);
      return samples.map(() => response && expectedOf(viewOf({ request, response })));
    },
  });
}

const isFirst = (_: unknown, seen: Seen) => String(parameterOf(seen, 'cursor') === undefined);

async function askPlaces({ listing, isMoving, model, ask }: Known): Promise<Answers> {
  const { rows, placed, isComplete, isOdd } = listing;
  const orders = Object.keys(FIELDS).filter((order) => isPredictable(order, rows));
  const cursorAt = createCursors(model);
  const expect = async ({ seen, offset, limit }: Placed, hypothesis: Hypothesis) => {
    const order = hypothesis['measurement-order'] ?? 'usage-date';
    const cursor = offset === 0 ? undefined : await cursorAt(order, offset);
    if (offset > 0 && cursor === undefined) return undefined;
    const predicted = await model.read(hypothesis, pageRequest(limit, cursor));
    const view = predicted && viewOf({ request: seen.request, response: predicted });
    if (view?.kind !== 'ok') return undefined;
    const { records = '', total = '', hasMore = '' } = view.parts;
    const parts = {
      ...(orders.includes(String(order)) && { records }),
      // Of a listing without a known end, nobody knows what is left.
      ...(isComplete && { total, hasMore }),
    };
    return { kind: 'ok', parts } satisfies Expected;
  };
  const answers = await ask({
    ...asQuestion(ASKED.pages),
    needs: { 'last-page': hasBothEnds(listing) ? 2 : 1 },
    samples: placed.map(({ seen }) => seen),
    open: isMoving
      ? 'Records came or went while the pages were read.'
      : isOdd
        ? 'The pages do not fit together.'
        : undefined,
    predict: (hypothesis) => Promise.all(placed.map((one) => expect(one, hypothesis))),
    facetOf: isFirst,
  });
  const { value } = answers.get('measurement-order') ?? {};
  const rival = rivalOf(rows, [FIELDS[String(value)]?.of ?? '']);
  return doubted(
    answers,
    'measurement-order',
    rows.length < FEWEST_ORDERED
      ? 'Too few records have this order.'
      : rival && `They are in the order of their ${rival}, too.`,
  );
}

/** True if the listing may end on its first page, and on a later one. */
function hasBothEnds({ rows, most }: Known['listing']): boolean {
  return rows.length > 1 && rows.length <= most;
}

function isPredictable(order: string, rows: readonly Members[]): boolean {
  const fields = [FIELDS[order], FIELDS.id].filter((one) => one !== undefined);
  return rows.every((row) => fields.every(({ of, isIn }) => isIn(row[of])));
}

/** Finds the cursors of the model at an offset of a listing, which may not be where a page ends. */
function createCursors(model: Model) {
  const cursors = new Map<string, string | undefined>();
  return async (order: string | number, offset: number): Promise<string | undefined> => {
    const key = `${order} ${offset}`;
    if (cursors.has(key)) return cursors.get(key);
    const hypothesis = { 'measurement-order': order, 'last-page': 'trailing-empty-page' };
    let cursor: string | undefined;
    for (let at = 0; at < offset; at += HIGHEST_LIMIT) {
      const limit = Math.min(HIGHEST_LIMIT, offset - at);
      const predicted = await model.read(hypothesis, pageRequest(limit, cursor));
      cursor = predicted && nextCursorOf({ response: predicted });
    }
    cursors.set(key, cursor);
    return cursor;
  };
}

function pageRequest(limit: number, cursor: string | undefined): SampleRequest {
  return listingRequest([
    ['limit', String(limit)],
    ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
  ]);
}
