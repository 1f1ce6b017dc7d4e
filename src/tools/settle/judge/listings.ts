import type { DecisionId } from '#spec';
import { describeRequest } from '../seen/evidence.js';
import { keyOf } from '../seen/lost-responses.js';
import { MADE_UP_CURSOR } from '../seen/made-up-values.js';
import { instantOf, type Members, parameterOf, type SampleRequest } from '../seen/samples.js';
import type { Known } from './known.js';
import { HIGHEST_LIMIT, isDate, nextCursorOf, type Placed, rivalOf } from './known-records.js';
import {
  isCursorKnown,
  isPlain,
  isPlainLimit,
  listingRequest,
  oddityOf,
} from './listing-requests.js';
import { type Hypothesis, type Model, remembered } from './model.js';
import { type Cell, type Row, type Table, valuesOf } from './table.js';
import { type Seen, viewOf } from './views.js';

type Tables = readonly (readonly [DecisionId, Table])[];

/** By decision: the value that accepts odd requests, and how many kinds of them must be seen. */
const ODD = {
  'invalid-cursor': { lenient: 'first-page', needs: 3 },
  'empty-parameter': { lenient: 'absent', needs: 2 },
  'fractional-limit': { lenient: 'round-down', needs: 2 },
  'limit-out-of-bounds': { lenient: 'clamp', needs: 2 },
  'unknown-query-parameters': { lenient: 'ignore', needs: 1 },
} as const satisfies Readonly<Partial<Record<DecisionId, object>>>;

const IDS = Object.keys(ODD) as (keyof typeof ODD)[];
const LENIENT: Hypothesis = Object.fromEntries(IDS.map((id) => [id, ODD[id].lenient]));

/** Rows enough to tell every limit from every other. */
const ROWS = Array.from({ length: HIGHEST_LIMIT + 2 }, (_, index) => ({ id: `m${index}` }));

/**
 * Asks the model whether it refuses an odd listing, or to which plain one its response is alike; then
 * compares the service's response with those that it gave to that plain one just before and after.
 */
export async function oddListings(known: Known): Promise<Tables> {
  const { issued, listings } = known;
  const odd = listings.filter(
    (one) => !isPlain(one, issued) && isCursorKnown(one, issued) && one.view.kind !== 'lost',
  );
  const cellOf = odd.length > 0 && (await createComparison(known));
  const rows = await Promise.all(
    odd.map(async (seen): Promise<readonly [DecisionId, Row] | undefined> => {
      if (!cellOf) return undefined;
      const lenient = await cellOf.model(seen, LENIENT);
      const strict = await Promise.all(
        IDS.map((id) => cellOf.model(seen, { ...LENIENT, [id]: 'reject' })),
      );
      const told = IDS.filter((_, at) => typeof strict[at] !== typeof lenient);
      const [id] = told;
      // What is odd in two ways may be refused for either.
      if (id === undefined || told.length > 1) return undefined;
      const cells = await Promise.all(
        valuesOf(id).map((value) => cellOf.cell(seen, { ...LENIENT, [id]: value })),
      );
      const judged = cells.filter((one) => one !== undefined);
      if (judged.length < cells.length) return undefined;
      const alike = odd.filter((one) => keyOf(one) === keyOf(seen)).map(outcomeOf);
      const isFlaky = new Set(alike).size > 1;
      const isOpen = judged.includes('neutral');
      return [
        id,
        {
          ...{ seen, cells: judged, isTelling: true, isSure: !isLikeIssued(seen) },
          kind: oddityOf(seen),
          ...((isFlaky || isOpen) && {
            blocks: `${describeRequest(seen.request)} ${isFlaky ? 'does not always get the same response' : 'does not tell its values apart'}`,
          }),
        },
      ];
    }),
  );
  return IDS.map((id) => {
    const own = rows.flatMap((one) => (one?.[0] === id ? one[1] : []));
    return [id, { rows: own, needs: ODD[id].needs }] as const;
  });
}

/** A cursor made up after the service's own may be one of them. */
function isLikeIssued(seen: Seen): boolean {
  const cursor = parameterOf(seen, 'cursor') ?? '';
  return cursor !== '' && cursor !== MADE_UP_CURSOR;
}

/** Rows may come and go, but a request that is refused once is refused always. */
const outcomeOf = ({ view: { kind, status } }: Seen) => (kind === 'ok' ? kind : status);

async function createComparison(known: Known) {
  const { issued, listings, isMoving, listing, modelOf, isRefusedAs } = known;
  const model = modelOf({ measurements: ROWS });
  const response = await model.read({}, listingRequest([['limit', '2']]));
  const cursor = String(response && nextCursorOf({ response }));
  /** Any cursor that the service issued is one of the model's. */
  const inModel = ({ query }: SampleRequest) =>
    listingRequest(
      query.map(([name, value]) => [name, name === 'cursor' && issued.has(value) ? cursor : value]),
    );
  const bodies = new Map<string, Promise<string | number>>();
  /** The model's page, or the status with which it refuses. */
  const responseTo = ({ request }: Pick<Seen, 'request'>, hypothesis: Hypothesis) =>
    remembered(bodies, [request.query, hypothesis], async () => {
      const { status = 0, body } = (await model.read(hypothesis, inModel(request))) ?? {};
      return status >= 400 ? status : JSON.stringify(body);
    });
  const usable = listings.filter((one) => isPlain(one, issued) && one.view.kind !== 'lost');
  const plain = await Promise.all(
    usable.map(async (page) => ({
      page,
      cursor: parameterOf(page, 'cursor'),
      body: await responseTo(page, {}),
    })),
  );

  /** The plain listings just before and after an odd one to which the model responds like this. */
  function controlsOf(seen: Seen, body: string | number): readonly Seen[] {
    const sent = parameterOf(seen, 'cursor') ?? '';
    const followed = issued.has(sent) ? sent : undefined;
    const alike = plain.filter((one) => one.body === body && one.cursor === followed);
    const at = listings.indexOf(seen);
    const places = alike.map(({ page }) => listings.indexOf(page));
    return [places.findLast((place) => place < at), places.find((place) => place > at)].flatMap(
      (place) => (place === undefined ? [] : (listings[place] ?? [])),
    );
  }

  /** Undefined if no plain listing was accepted with which to compare. */
  async function cell(seen: Seen, hypothesis: Hypothesis): Promise<Cell | undefined> {
    const body = await responseTo(seen, hypothesis);
    const isRefusal = typeof body === 'number';
    const accepted = isRefusal ? await responseTo(seen, LENIENT) : body;
    const controls = controlsOf(seen, accepted);
    const { kind } = seen.view;
    // What the service refuses when it is not odd says nothing about the oddity.
    const isUsable = controls.length > 0 && controls.every(({ view }) => view.kind === 'ok');
    if (!isUsable) return undefined;
    if (kind !== 'ok' && kind !== 'refused') return 'neutral';
    if (isRefusal && kind === 'refused') return isRefusedAs(body, seen) ? 'match' : 'less';
    if (isRefusal || kind === 'refused') return isRefusal ? 'miss' : 'less';
    const prints = controls.map(({ print }) => print);
    if (new Set(prints).size > 1) return 'neutral';
    if (!prints.includes(seen.print)) return isMoving || listing.isOdd ? 'neutral' : 'miss';
    // The service must tell apart what the mock tells apart, or a response like another proves nothing:
    // one that has 5 on a page at most would settle empty-parameter and limit-out-of-bounds.
    const isConfused = plain.some((one) => one.body !== body && prints.includes(one.page.print));
    return !isConfused && controls.every((one) => isTellingOf(seen, one)) ? 'match' : 'neutral';
  }

  return { cell, model: responseTo };
}

/** Whether the page shows how a limit was read: after the last page, a higher limit shows nothing more. */
function isTellingOf(seen: Seen, { view: { records, parts } }: Seen): boolean {
  const isAboutLimit = !isPlainLimit(parameterOf(seen, 'limit') ?? '1');
  const isLong = parts.hasMore === 'true' || (!isAboutLimit && oddityOf(seen) === 'parameter');
  return records.length > 0 && isLong;
}

/** The fields that an order is of; the model can predict it only if all rows have them. */
const FIELDS: Readonly<Record<string, { readonly of: string; isIn(value: unknown): boolean }>> = {
  'usage-date': { of: 'usageDate', isIn: isDate },
  'newest-first': { of: 'usageDate', isIn: isDate },
  'created-at': { of: 'createdAt', isIn: (value) => instantOf(value) !== undefined },
  id: { of: 'id', isIn: (value) => typeof value === 'string' },
};

const FEWEST_ORDERED = 5;
const isFirst = (seen: Seen) => String(parameterOf(seen, 'cursor') === undefined);

/** Asks the model for the pages that were seen, over the rows that they show. */
export async function pages(known: Known): Promise<Tables> {
  const { listing, isMoving, model, ask } = known;
  const { rows, placed, most, isComplete, isOdd } = listing;
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
    return { ...view, parts };
  };
  const open = isMoving
    ? 'Records were added or removed while the pages were being read.'
    : isOdd
      ? 'The pages do not fit together.'
      : undefined;
  // A listing may end on its first page, and on a later one.
  const needs = rows.length > 1 && rows.length <= most ? 2 : 1;
  const tables = await ask({
    parts: { 'measurement-order': 'records', 'total-counts': 'total', 'last-page': 'hasMore' },
    samples: placed.map(({ seen }) => seen),
    predict: (hypothesis) => Promise.all(placed.map((one) => expect(one, hypothesis))),
    kindOf: isFirst,
  });
  const doubt = (order: string | number) => {
    if (rows.length < FEWEST_ORDERED) return 'There are too few records to tell their order.';
    const rival = rivalOf(rows, [FIELDS[String(order)]?.of ?? '']);
    return rival && `The records are in the order of ${rival} as well.`;
  };
  const more: Readonly<Record<string, Partial<Table>>> = {
    ...{ 'measurement-order': { doubt }, 'last-page': { needs } },
  };
  return [
    ...tables.map(([id, table]) => [id, { ...table, open, ...more[id] }] as const),
    ...(await ends(known)).map(([id, table]) => [id, { ...table, needs }] as const),
  ];
}

/** Asks what pages that nothing follows look like, whatever rows come and go. */
async function ends({ plain, modelOf, ask }: Known): Promise<Tables> {
  const samples = plain.filter(({ view }) => view.parts.hasMore === 'false');
  const request = pageRequest(1, undefined);
  return ask({
    parts: { 'final-cursor': 'next' },
    ...{ samples, isFlaky: () => false, kindOf: isFirst },
    predict: async (hypothesis) => {
      const response = await modelOf({}).read(hypothesis, request);
      return samples.map(() => response && viewOf({ request, response }));
    },
  });
}

function isPredictable(order: string, rows: readonly Members[]): boolean {
  const fields = [FIELDS[order], FIELDS.id].filter((one) => one !== undefined);
  return rows.every((row) => fields.every(({ of, isIn }) => isIn(row[of])));
}

/** Finds the cursors of the model at an offset of a listing, which may not be where a page ends. */
function createCursors(model: Model) {
  const cursors = new Map<string, Promise<string | undefined>>();
  return (order: string | number, offset: number): Promise<string | undefined> =>
    remembered(cursors, [order, offset], async () => {
      const hypothesis = { 'measurement-order': order, 'last-page': 'trailing-empty-page' };
      let cursor: string | undefined;
      for (let at = 0; at < offset; at += HIGHEST_LIMIT) {
        const limit = Math.min(HIGHEST_LIMIT, offset - at);
        const predicted = await model.read(hypothesis, pageRequest(limit, cursor));
        cursor = predicted && nextCursorOf({ response: predicted });
      }
      return cursor;
    });
}

function pageRequest(limit: number, cursor: string | undefined): SampleRequest {
  return listingRequest([
    ['limit', String(limit)],
    ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
  ]);
}
