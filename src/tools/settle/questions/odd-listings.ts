import type { Expected } from '../judge.js';
import { HIGHEST_LIMIT, nextCursorOf } from '../known-records.js';
import { type Hypothesis, type Model, remembered } from '../model.js';
import { keyOf } from '../seen/lost-responses.js';
import { MADE_UP_CURSOR } from '../seen/made-up-values.js';
import { parameterOf, type SampleRequest } from '../seen/samples.js';
import type { Seen } from '../views.js';
import { ASKED, asQuestion } from './asked-decisions.js';
import type { Answers, Known } from './known.js';
import {
  isCursorKnown,
  isPlain,
  isPlainLimit,
  listingRequest,
  oddityOf,
} from './listing-requests.js';

const { ids: IDS, needs, lenient: LENIENT } = asQuestion(ASKED.oddListings);

/** Rows enough to tell every limit from every other. */
const ROWS = Array.from({ length: HIGHEST_LIMIT + 2 }, (_, index) => ({ id: `m${index}` }));

/**
 * Asks the model whether it refuses an odd listing, or to which plain one its response is alike; then
 * compares the service's response with those that it gave to that plain one just before and after.
 */
export async function askOddListings(known: Known): Promise<Answers> {
  const { issued, listings, modelOf, ask } = known;
  const odd = listings.filter(
    (one) => !isPlain(one, issued) && isCursorKnown(one, issued) && one.view.kind !== 'lost',
  );
  if (odd.length === 0) return new Map();
  const expect = await createExpectations(known, modelOf({ measurements: ROWS }));
  const toldBy = await Promise.all(
    odd.map(async (seen) => {
      const lenient = await expect(seen, LENIENT);
      const strict = await Promise.all(
        IDS.map((id) => expect(seen, { ...LENIENT, [id]: 'reject' })),
      );
      return IDS.filter((_, at) => strict[at]?.kind !== lenient?.kind);
    }),
  );
  const answers = await Promise.all(
    IDS.map((id) => {
      // What is odd in two ways may be refused for either.
      const samples = odd.filter((_, at) => String(toldBy[at]) === id);
      return ask({
        ...{ ids: [id], samples, parts: [], needs },
        predict: (hypothesis) =>
          Promise.all(samples.map((seen) => expect(seen, { ...LENIENT, ...hypothesis }))),
        facetOf: (_, seen) => oddityOf(seen),
        isAmbiguous: isLikeIssued,
        isFlaky: (seen) =>
          new Set(samples.filter((one) => keyOf(one) === keyOf(seen)).map(outcomeOf)).size > 1,
      });
    }),
  );
  return new Map(answers.flatMap((one) => [...one]));
}

/** A cursor made up after the service's own may be one of them. */
function isLikeIssued(seen: Seen): boolean {
  const cursor = parameterOf(seen, 'cursor') ?? '';
  return cursor !== '' && cursor !== MADE_UP_CURSOR;
}

/** Rows may come and go, but a request that is refused once is refused always. */
const outcomeOf = ({ view: { kind, status } }: Seen) => (kind === 'ok' ? kind : status);

async function createExpectations({ issued, listings, isMoving, listing }: Known, model: Model) {
  const response = await model.read({}, listingRequest([['limit', '2']]));
  const cursor = String(response && nextCursorOf({ response }));
  /** Any cursor that the service issued is one of the model's. */
  const inModel = ({ query }: SampleRequest) =>
    listingRequest(
      query.map(([name, value]) => [name, name === 'cursor' && issued.has(value) ? cursor : value]),
    );
  const bodies = new Map<string, Promise<string | number>>();
  /** The model's page, or the status with which it refuses. */
  const responseTo = (request: SampleRequest, hypothesis: Hypothesis) =>
    remembered(bodies, [request.query, hypothesis], async () => {
      const { status = 0, body } = (await model.read(hypothesis, inModel(request))) ?? {};
      return status >= 400 ? status : JSON.stringify(body);
    });
  const plain = await Promise.all(
    listings
      .filter((one) => isPlain(one, issued) && one.view.kind !== 'lost')
      .map(async (page) => ({
        page,
        cursor: parameterOf(page, 'cursor'),
        body: await responseTo(page.request, {}),
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

  return async (seen: Seen, hypothesis: Hypothesis): Promise<Expected> => {
    const body = await responseTo(seen.request, hypothesis);
    const accepted = typeof body === 'number' ? await responseTo(seen.request, LENIENT) : body;
    const controls = controlsOf(seen, accepted);
    // What the service refuses when it is not odd says nothing about the oddity.
    if (controls.length === 0 || controls.some(({ view }) => view.kind !== 'ok')) return undefined;
    if (typeof body === 'number') return { kind: 'refused', status: body };
    const prints = controls.map(({ print }) => print);
    // The service must tell apart what the mock tells apart, or a response like another proves nothing.
    const isConfused = plain.some((one) => one.body !== body && prints.includes(one.page.print));
    const isTelling = !isConfused && controls.every((one) => isTellingOf(seen, one));
    return { kind: 'alike', prints, isTelling, isSteady: !isMoving && !listing.isOdd };
  };
}

/** Of a page that nothing follows, a higher limit would show no more. */
function isTellingOf(seen: Seen, { view: { records, parts } }: Seen): boolean {
  const limit = parameterOf(seen, 'limit') ?? '1';
  const isAboutLimit = !isPlainLimit(limit);
  const isLong = parts.hasMore === 'true' || (!isAboutLimit && oddityOf(seen) === 'parameter');
  return records.length > 0 && isLong;
}
