import { isRandom } from '../seen/made-up-values.js';
import { controlsOf, listingsWithOnly, type Oddity } from '../seen/oddities.js';
import {
  HIGHEST_LIMIT,
  type Listing,
  listingOf,
  numberOf,
  type Page,
  pagesOf,
  readPage,
} from '../seen/pages.js';
import { isRefusal, parameterOf, type Sample, type Seen } from '../seen/samples.js';
import { agreed, type ObserversOf, tell } from './observer.js';

/** Decisions whose values either refuse a listing or return what it gets without its oddity. */
type Decisions =
  | 'invalid-cursor'
  | 'empty-parameter'
  | 'fractional-limit'
  | 'limit-out-of-bounds'
  | 'unknown-query-parameters';

/** A case, named by a noun phrase, that needs a response before the decision is settled. */
type Part = readonly [name: string, isOf: (sample: Sample) => boolean];

/** True if the service would have returned another page if it took the oddity for something else. */
type Tells = (control: Page, listing: Listing) => boolean;

const isListed: Tells = ({ measurements }) => measurements.length > 0;
const isFollowed: Tells = ({ measurements }, { leastSize }) => leastSize > measurements.length;
/** A longer limit gives a longer page. */
const isCut: Tells = ({ sample, measurements, limit = Number.POSITIVE_INFINITY }, { longest }) => {
  const { length } = measurements;
  // Without a limit, a service may return more than 10.
  return longest > length && (length <= limit || parameterOf(sample, 'limit') === undefined);
};
/** No page is longer than the one with the highest limit, although more follows. */
const isHighest: Tells = (control, listing) =>
  isFollowed(control, listing) && control.measurements.length === listing.longest;

const limitOf = (sample: Sample) => numberOf(parameterOf(sample, 'limit'));
const isEmpty = (name: string) => (sample: Sample) => parameterOf(sample, name) === '';

/** Judge the responses to listings with exactly one oddity (sections 4.4 and 8). */
export const ODD_LISTINGS: ObserversOf<Decisions> = {
  'invalid-cursor': {
    wanted: 'a made-up cursor, sent to a listing that is not empty',
    observe: refusedOrReturned('made-up cursor', 'first-page', () => isFollowed, [
      ["a cursor in the service's own form", isForged],
    ]),
  },
  'empty-parameter': {
    wanted: 'cursor= and limit= without a value, sent to a listing of more than 10 measurements',
    observe: refusedOrReturned(
      'empty parameter',
      'absent',
      (sample) => (isEmpty('limit')(sample) ? isCut : isFollowed),
      ['cursor', 'limit'].map((name): Part => [`${name}=`, isEmpty(name)]),
    ),
  },
  'fractional-limit': {
    wanted: 'limits of 1.5, 2.5 and 2.7, sent to a listing of at least 5 measurements',
    observe: (seen) =>
      agreed(
        // No two ways of rounding (down, half up, half to even) agree on all of these.
        refusedOrReturned('fractional limit', 'round-down', () => isCut, [
          ['2.5', (sample) => limitOf(sample) % 2 === 0.5],
          ['1.5', (sample) => limitOf(sample) % 2 === 1.5],
          ['2.7', (sample) => limitOf(sample) % 1 > 0.5],
        ])(seen),
        'a different fraction gets a different response',
      ),
  },
  'limit-out-of-bounds': {
    wanted: 'limits of 0 and 1001, sent to a listing of more measurements than a page has',
    observe: refusedOrReturned(
      'limit out of bounds',
      'clamp',
      (sample) => (limitOf(sample) < 1 ? isCut : isHighest),
      [
        ['a limit of 0', (sample) => limitOf(sample) === 0],
        [`a limit above ${HIGHEST_LIMIT}`, (sample) => limitOf(sample) > HIGHEST_LIMIT],
      ],
    ),
  },
  'unknown-query-parameters': {
    wanted: 'a query parameter that the service cannot know',
    observe: (seen) => [
      ...refusedOrReturned('made-up parameter', 'ignore', () => isListed)(seen),
      // The service may know this parameter, so its response proves nothing.
      ...listingsWithOnly('foreign parameter', seen).map((sample) =>
        tell(sample, 'with a parameter that the service may know', 'reject', 'ignore'),
      ),
    ],
  },
};

function isForged(sample: Sample): boolean {
  return isRandom(parameterOf(sample, 'cursor') ?? '');
}

/** After the service's own prefix, random letters may be a valid position. */
function mayBeIssued(sample: Sample): boolean {
  return isForged(sample) && !isRandom(parameterOf(sample, 'cursor') ?? '', [0]);
}

/** Statuses that say a path or record is missing, not that the request is invalid (section 7). */
const NOT_THERE = [404, 410];

/**
 * Creates an observer that compares listings that have this one oddity with the same listings
 * without it. The decision stays open until each part has a response that tells.
 */
function refusedOrReturned<const Value extends string>(
  oddity: Oddity,
  other: Value,
  tellsOf: (sample: Sample) => Tells,
  parts: readonly Part[] = [],
) {
  return (seen: Seen) => {
    const listing = listingOf(pagesOf(seen));
    const observed = listingsWithOnly(oddity, seen).flatMap((sample) => {
      const tells = (control: Page) => tellsOf(sample)(control, listing);
      return compare(sample, controlsOf(sample, seen), listing, other, tells);
    });
    const telling = observed.filter(({ isSilent }) => !isSilent);
    if (telling.length === 0) return [];
    const known = telling.filter(({ isDoubtful }) => !isDoubtful).flatMap(({ samples }) => samples);
    const untold = parts.find(([, isOf]) => !known.some(isOf));
    const open = untold && `nothing shows what the service does with ${untold[0]}`;
    return observed.map((one) => ({ ...one, open: one.isDoubtful ? DOUBT : open }));
  };
}

const DOUBT = 'an ordinary listing may have got the same response';

type Compared<Value extends string> = ReturnType<typeof tell<Value | 'reject'>> & {
  readonly isDoubtful?: boolean;
  /** True if it shows only that the service does not refuse. */
  readonly isSilent?: boolean;
};

/** A refusal, or a page, says nothing unless the controls are pages, and the same one. */
function compare<const Value extends string>(
  sample: Sample,
  controls: readonly Sample[],
  { isMoving, isReordered }: Listing,
  other: Value,
  tells: (control: Page) => boolean,
): Compared<Value> | readonly [] {
  const known = controls.flatMap((one) => readPage(one) ?? []);
  const [control] = known;
  const isLacking = !control || known.length < controls.length;
  if (isRefusal(sample)) {
    const value = NOT_THERE.includes(sample.response.status) ? undefined : 'reject';
    return { ...tell(sample, 'refused', value), isDoubtful: isLacking };
  }
  if (sample.response.body.kind === 'unknown') return [];
  const page = readPage(sample);
  if (!page) return { ...tell(sample, 'without measurements'), isDoubtful: isLacking };
  const areKnown = page.measurements.every(({ id }) => id !== undefined);
  if (!control || !areKnown) return { ...tell(sample, 'a page', other), isSilent: true };
  const isSteady = !isLacking && new Set(known.map(idsOf)).size === 1;
  if (isSteady && idsOf(page) === idsOf(control)) {
    return { ...tell(sample, 'as without it', other), isSilent: !tells(control) };
  }
  const hasChanged = isMoving || isReordered || !isSteady;
  const isDoubtful = hasChanged || known.length < 2 || mayBeIssued(sample);
  return { ...tell(sample, 'another page than without it'), isDoubtful };
}

function idsOf({ measurements }: Page): string {
  return JSON.stringify(measurements.map(({ id }) => id));
}
