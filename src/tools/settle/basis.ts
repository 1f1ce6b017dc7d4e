import { ENVELOPES } from '#spec';
import { count } from '../../core/values/plural.js';
import type { ObservedId } from './observers/observers.js';
import { TOKENS } from './seen/evidence.js';
import { kindsAmong, type Lookup } from './seen/lookups.js';
import { isMadeUp, isRandom } from './seen/made-up-values.js';
import { NAME_VARIANTS } from './seen/name-variants.js';
import { oddListings } from './seen/oddities.js';
import { isSuccess, isUnseen, parameterOf, type Sample, successBody } from './seen/samples.js';
import { customersSeen } from './seen/seen-customers.js';

/** How a report describes the evidence for a verdict. */
interface Basis {
  /** What is counted, as a noun: `lookup`. */
  readonly of: string;
  /** What all of them have in common: `by a name of two customers`. */
  readonly each?: string;
  /** Those that no request has are reported as not tried. */
  readonly kinds?: readonly string[];
  /** Classifies a sample. A recording may contain kinds that no run sends. */
  readonly kindsIn?: (all: readonly Sample[]) => (sample: Sample) => Kinds;
  /** True to report how long after the first success each was sent. */
  readonly isRepeated?: true;
  /** What no run tries, and a service may treat differently. */
  readonly untried: string;
}

type Kinds = string | false | undefined | readonly string[];

/** The kind of a request of which a recording does not show the kind. */
const ANY = 'any';

const refsOf = ({ request }: Sample): readonly string[] => [Object(request.body).refs ?? []].flat();

/** A body is odd without `refs`, or with members beside it. */
function kindOfBody(sample: Sample): Kinds {
  const { body, isBodyUnknown } = sample.request;
  if (isBodyUnknown) return ANY;
  const isOdd = refsOf(sample).length === 0 || Object.keys(Object(body)).length > 1;
  return body !== undefined && isOdd && 'body';
}

const withRecords = (...kinds: readonly string[]) => ({
  of: 'response',
  kinds,
  kindsIn: () => (sample: Sample) =>
    (isUnseen(sample) || successBody(sample)) &&
    ENVELOPES[sample.request.operationId].replace(/s?$/, 's'),
  untried: 'other records',
});

const withLimits = (...kinds: readonly string[]) => ({
  of: 'limit',
  kinds,
  kindsIn: () => (sample: Sample) => parameterOf(sample, 'limit'),
});

const withTokens = (...tokens: readonly (keyof typeof TOKENS)[]) => ({
  of: 'request',
  kinds: tokens.map((token) => TOKENS[token].trim()),
  kindsIn: () => (sample: Sample) => {
    const { token } = sample.request;
    return token === 'unknown' ? ANY : TOKENS[token].trim() || undefined;
  },
});

/** Tells first pages from later ones, among those that `counts` accepts. */
const onPages = (counts: (sample: Sample) => boolean) => ({
  kinds: ['without a cursor', 'with a cursor'],
  kindsIn: () => (sample: Sample) => {
    const isPage = isUnseen(sample) || counts(sample);
    if (sample.request.operationId !== 'listMeasurements' || !isPage) return undefined;
    return parameterOf(sample, 'cursor') === undefined ? 'without a cursor' : 'with a cursor';
  },
});

const lookupsBy = (by: Lookup, ...kinds: readonly string[]) => ({
  of: 'lookup',
  kinds,
  kindsIn: (all: readonly Sample[]) => {
    const kindsOf = kindsAmong(customersSeen(all));
    return ({ request: { operationId, path } }: Sample) =>
      operationId === by &&
      kindsOf(path.customerId ?? path.name ?? '').map(
        (kind) => kinds.find((one) => kind.endsWith(one)) ?? kind,
      );
  },
});

/** Variants that are more than another case. */
const OTHER_VARIANTS = NAME_VARIANTS.filter((one) => !one.endsWith(' letters'));

const BASIS: Readonly<Record<ObservedId, Basis>> = {
  'success-status': { ...withRecords('contracts', 'events'), each: 'to deletions' },
  'customer-id-matches': {
    ...lookupsBy('getCustomer', 'id', 'externalId', 'name', 'alias', 'in another case'),
    untried: 'names and aliases of other customers',
  },
  'name-matches': {
    ...lookupsBy(
      ...(['getCustomerByName', 'name', 'alias', 'id', 'externalId'] as const),
      ...['in another case', ...OTHER_VARIANTS],
    ),
    untried: 'ids and externalIds of other customers',
  },
  'duplicate-name': { of: 'lookup', each: 'by a name of two customers', untried: 'other names' },
  'repeat-delete': { of: 'delete', isRepeated: true, untried: 'later deletes' },
  'unmatched-refs': {
    of: 'call',
    each: 'with unknown refs',
    kinds: ['zeros', 'random', 'beside a known ref'],
    kindsIn: () => (sample) => {
      const made = refsOf(sample).filter(isMadeUp);
      if (sample.request.isBodyUnknown) return ANY;
      if (made.length === 0) return undefined;
      if (made.length < refsOf(sample).length) return 'beside a known ref';
      return made.some((ref) => isRandom(ref)) ? 'random' : 'zeros';
    },
    untried: 'other unknown refs',
  },
  'repeat-event-delete': { of: 'call', isRepeated: true, untried: 'later calls' },
  'deleted-events-order': {
    of: 'call',
    kinds: ['refs in no order'],
    kindsIn: () => (sample) => {
      if (sample.request.isBodyUnknown) return ANY;
      const sorted = [...refsOf(sample)].sort();
      const isSorted = [sorted, sorted.toReversed()].map(String).includes(String(refsOf(sample)));
      return isSorted ? 'refs in order' : 'refs in no order';
    },
    untried: 'other events',
  },
  'unknown-body-members': {
    of: 'call',
    each: 'with an unknown member',
    untried: 'other members',
  },
  'updated-at-on-delete': { ...withRecords('contracts', 'events'), each: 'with deletedAt' },
  'measurement-order': {
    of: 'listing',
    kinds: ['first time', 'repeated later'],
    kindsIn: (all) => {
      const firsts = new Map(all.toReversed().map((one) => [JSON.stringify(one.request), one]));
      return (one) =>
        firsts.get(JSON.stringify(one.request)) === one ? 'first time' : 'repeated later';
    },
    untried: 'measurements that were not listed',
  },
  'total-counts': {
    ...onPages(isSuccess),
    of: 'page',
    untried: 'records that come while others go',
  },
  'last-page': {
    of: 'last page',
    kinds: ['as long as the limit'],
    kindsIn: () => (sample) => {
      const isListing = sample.request.operationId === 'listMeasurements';
      const { measurements } = successBody(sample) ?? {};
      const length = Array.isArray(measurements) ? measurements.length : undefined;
      const isFull = String(length) === parameterOf(sample, 'limit');
      return ((isListing && isUnseen(sample)) || isFull) && 'as long as the limit';
    },
    untried: 'listings of another length',
  },
  'final-cursor': {
    ...onPages((sample) => successBody(sample)?.hasMore === false),
    of: 'last page',
    untried: 'listings of another length',
  },
  'cursor-lifetime': { of: 'use', each: 'of a cursor', untried: 'older cursors' },
  'invalid-cursor': {
    of: 'unknown cursor',
    kinds: ["unlike the service's own", "like the service's own"],
    kindsIn: () => (sample) => {
      const cursor = parameterOf(sample, 'cursor') ?? '';
      if (isRandom(cursor)) return "like the service's own";
      return isMadeUp(cursor) && "unlike the service's own";
    },
    untried: 'cursors of other tokens',
  },
  'empty-parameter': {
    of: 'listing',
    kinds: ['cursor=', 'limit=', 'both at once'],
    kindsIn: () => (sample) => {
      const [empty, another] = sample.request.query.filter(([, value]) => value === '');
      return empty && (another ? 'both at once' : `${empty[0]}=`);
    },
    untried: 'other parameters',
  },
  'fractional-limit': { ...withLimits('1.5', '2.5', '2.7'), untried: 'other fractions' },
  'limit-out-of-bounds': { ...withLimits('0', '1001'), untried: 'other limits' },
  'unknown-query-parameters': {
    of: 'listing',
    each: 'with an unknown parameter',
    untried: 'other parameters',
  },
  'error-body': {
    of: 'refusal',
    kindsIn: () => (sample) => String(sample.response.status),
    untried: 'other mistakes',
  },
  'invalid-request-status': {
    of: 'invalid request',
    kinds: ['body'],
    kindsIn: (all) => {
      const listings = oddListings({ samples: all });
      const odd = new Map(listings.map(({ sample, oddities }) => [sample, oddities]));
      return (sample) => odd.get(sample) ?? kindOfBody(sample);
    },
    untried: 'other mistakes',
  },
  'unknown-identifier-status': {
    of: 'lookup',
    kinds: ['zeros as an id', 'a random id', 'zeros as a name', 'a random name'],
    kindsIn: () => (sample) => {
      const { customerId, name } = sample.request.path;
      const asked = customerId ?? name;
      if (asked === undefined) return undefined;
      const [key, aKey] = name === undefined ? ['id', 'an id'] : ['name', 'a name'];
      if (isRandom(asked)) return `a random ${key}`;
      return isMadeUp(asked) ? `zeros as ${aKey}` : `another ${key}`;
    },
    untried: 'other unknown ids and names',
  },
  'unauthorized-status': {
    ...withTokens('none', 'made-up', 'alike'),
    untried: 'expired tokens',
  },
  'unknown-token': { ...withTokens('made-up', 'alike'), untried: 'other tokens' },
  'optional-fields': withRecords('measurements', 'customers', 'contracts', 'events'),
  'enum-values': withRecords('customers', 'contracts'),
  'undocumented-fields': withRecords('measurements', 'customers', 'contracts', 'events'),
  'rate-limit': {
    of: 'response',
    kindsIn: () => (sample) => (sample.response.status === 429 ? '429' : 'with a limit'),
    untried: 'whether the limit holds',
  },
};

/**
 * Describes what a verdict rests on, in one line:
 * `2 deletes of 1 contract, 0 s and 3 s after the first; not tried: later deletes`.
 */
export function restsOn(
  decision: ObservedId,
  samples: readonly Sample[],
  all: readonly Sample[],
): string {
  const { of, each, kinds = [], kindsIn, isRepeated, untried }: Basis = BASIS[decision];
  const kindsOfOne = kindsIn?.(all) ?? (() => undefined);
  const kindsOf = (some: readonly Sample[]) =>
    new Set(some.flatMap((one) => kindsOfOne(one) || []));
  const seen = kindsOf(samples);
  // A kind was tried even if its responses say nothing about this decision, or were not seen.
  const tried = kindsOf(all);
  const responded = kindsOf(all.filter((one) => !isUnseen(one)));
  const others = kinds.filter((kind) => !tried.has(kind) && !tried.has(ANY));
  const unseen = kinds.filter((kind) => tried.has(kind) && !responded.has(kind) && !seen.has(kind));
  const told = new Set([...kinds.filter((kind) => seen.has(kind)), ...seen]);
  told.delete(ANY);
  const what = isRepeated
    ? repeatsOf(samples, all)
    : `${each ? ` ${each}` : ''}${told.size > 0 ? `: ${[...told].join(', ')}` : ''}`;
  const lacking = unseen.length === 0 ? '' : `; no response seen: ${unseen.join(', ')}`;
  return `${count(samples.length, of)}${what}${lacking}; not tried: ${[...others, untried].join(', ')}`;
}

function repeatsOf(samples: readonly Sample[], all: readonly Sample[]): string {
  const recordOf = ({ request }: Sample) => request.path.contractId ?? request.operationId;
  const ages = samples.map((one) => {
    const first = all.find((other) => isSuccess(other) && recordOf(other) === recordOf(one));
    return Math.round((one.sentAtMs - (first ?? one).sentAtMs) / 1000);
  });
  const known = [...new Set(ages)].filter((age) => !Number.isNaN(age));
  const sorted = known.sort((one, other) => one - other).map((age) => `${age} s`);
  const when = known.length > 0 ? `${sorted.join(' and ')} after the first` : 'at unknown times';
  const contracts = new Set(samples.flatMap(({ request }) => request.path.contractId ?? []));
  return `${contracts.size > 0 ? ` of ${count(contracts.size, 'contract')},` : ''} ${when}`;
}
