import { isRandom, MADE_UP_CURSOR, MADE_UP_PARAMETER } from './made-up-values.js';
import { HIGHEST_LIMIT, isOwnListing, KNOWN_PARAMETERS, numberOf, pagesOf } from './pages.js';
import { isAccepted, isRefusal, type Sample, type Seen, successBody } from './samples.js';

/** How a request for a listing deviates, or may deviate, from the specification, in words. */
export type Oddity =
  | 'made-up cursor'
  | 'made-up parameter'
  | 'empty parameter'
  | 'limit out of bounds'
  | 'fractional limit'
  | 'limit not a number'
  | (typeof MAY_BE_VALID)[number];

/** Oddities that a valid request may have. */
const MAY_BE_VALID = ['foreign parameter', 'repeated parameter', 'issued cursor'] as const;

interface OddListing {
  readonly sample: Sample;
  readonly oddities: readonly Oddity[];
}

/**
 * The listings that have oddities. Returns none unless an ordinary listing succeeded: otherwise a
 * refusal may have nothing to do with the oddity.
 */
export function oddListings(seen: Pick<Seen, 'samples'>): readonly OddListing[] {
  if (pagesOf(seen).length === 0) return [];
  const issued = new Set(seen.samples.map((sample) => successBody(sample)?.nextCursor));
  return seen.samples
    .filter((sample) => isOwnListing(sample) && (isAccepted(sample) || isRefusal(sample)))
    .map((sample) => ({ sample, oddities: odditiesOf(sample, issued) }))
    .filter(({ oddities }) => oddities.length > 0);
}

type Query = Sample['request']['query'];

/** The same query without its oddities: what a listing is compared with. */
export function controlOf(query: Query): Query {
  return query.flatMap(([name, value]): Query => {
    if (!KNOWN_PARAMETERS.includes(name) || value === '') return [];
    if (name === 'cursor') return isMadeUpCursor(value) ? [] : [[name, value]];
    const limit = numberOf(value);
    const bounded = Math.min(Math.max(Math.floor(limit), 1), HIGHEST_LIMIT);
    return Number.isNaN(limit) ? [] : [[name, String(bounded)]];
  });
}

function isMadeUpCursor(cursor: string): boolean {
  return cursor === MADE_UP_CURSOR || isRandom(cursor);
}

/** The same listing without its oddity: the last one before, and the first one after it. */
export function controlsOf(sample: Sample, { samples }: Pick<Seen, 'samples'>): readonly Sample[] {
  const wanted = keyOf(controlOf(sample.request.query));
  const at = samples.indexOf(sample);
  const isControl = (one: Sample) => isOwnListing(one) && keyOf(one.request.query) === wanted;
  const before = samples.slice(0, at).findLast(isControl);
  const after = samples.slice(at + 1).find(isControl);
  return [before, after].filter((one) => one !== undefined);
}

function keyOf(query: Query): string {
  return JSON.stringify([...query].sort());
}

export function listingsWithOnly(oddity: Oddity, seen: Seen): readonly Sample[] {
  return oddListings(seen)
    .filter(({ oddities }) => oddities.every((one) => one === oddity))
    .map(({ sample }) => sample);
}

export function isInvalid({ oddities }: OddListing): boolean {
  return !MAY_BE_VALID.some((oddity) => oddities.includes(oddity));
}

function odditiesOf({ request }: Sample, issued: ReadonlySet<unknown>): readonly Oddity[] {
  const { query } = request;
  const isRepeated = new Set(query.map(([name]) => name)).size < query.length;
  const oddities = query.flatMap(([name, value]): Oddity | readonly Oddity[] => {
    if (name === MADE_UP_PARAMETER) return 'made-up parameter';
    if (!KNOWN_PARAMETERS.includes(name)) return 'foreign parameter';
    if (value === '') return 'empty parameter';
    if (name === 'limit') return oddityOfLimit(value) ?? [];
    // A response that a recording lacks may have issued any cursor that no probe has made up.
    return !issued.has(value) && isMadeUpCursor(value) ? 'made-up cursor' : 'issued cursor';
  });
  if (isRepeated) return [...oddities, 'repeated parameter'];
  return oddities.every((oddity) => oddity === 'issued cursor') ? [] : oddities;
}

function oddityOfLimit(text: string): Oddity | undefined {
  const limit = numberOf(text);
  // A service may accept other number formats.
  if (Number.isNaN(limit)) return Number.isNaN(Number(text)) ? 'limit not a number' : undefined;
  if (limit < 1 || limit > HIGHEST_LIMIT) return 'limit out of bounds';
  return Number.isInteger(limit) ? undefined : 'fractional limit';
}
