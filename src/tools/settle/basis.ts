import { ENVELOPES } from '#spec';
import { count } from '../../core/values/plural.js';
import type { ObservedId } from './observers/observers.js';
import { TOKENS } from './seen/evidence.js';
import { kindsAmong, type Lookup } from './seen/lookups.js';
import { isMadeUp, isRandom } from './seen/made-up-values.js';
import { NAME_VARIANTS } from './seen/name-variants.js';
import { oddListings } from './seen/oddities.js';
import {
  isSuccess,
  isUnseen,
  parameterOf,
  type Sample,
  type SampleRequest,
  successBody,
} from './seen/samples.js';
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
  readonly kindsIn?: (all: readonly Sample[]) => (sample: Sample) => readonly string[];
  /** True for a request of which a recording does not show the kind. */
  readonly isOfUnknownKind?: (request: SampleRequest) => boolean;
  /** True to report how long after the first success each was sent. */
  readonly isRepeated?: true;
  /** What no run tries, and a service may treat differently. */
  readonly untried: string;
}

const each = (kindOf: (sample: Sample) => string | false | undefined) => () => (sample: Sample) =>
  [kindOf(sample)].filter((kind) => typeof kind === 'string');

const refsOf = ({ request }: Sample): readonly string[] => [Object(request.body).refs ?? []].flat();

const withRecords = (...kinds: readonly string[]) => ({
  of: 'response',
  kinds,
  kindsIn: each(
    (sample) =>
      (isUnseen(sample) || successBody(sample)) &&
      ENVELOPES[sample.request.operationId].replace(/s?$/, 's'),
  ),
  untried: 'other records',
});

const withLimits = (...kinds: readonly string[]) => ({
  of: 'limit',
  kinds,
  kindsIn: each((sample) => parameterOf(sample, 'limit')),
});

const withTokens = (...tokens: readonly (keyof typeof TOKENS)[]) => ({
  of: 'request',
  kinds: tokens.map((token) => TOKENS[token].trim()),
  kindsIn: each(({ request }) => TOKENS[request.token].trim() || undefined),
  isOfUnknownKind: ({ token }: SampleRequest) => token === 'unknown',
});

/** Tells first pages from later ones, among those that `counts` accepts. */
const onPages = (counts: (sample: Sample) => boolean) => ({
  kinds: ['without a cursor', 'with a cursor'],
  kindsIn: each((sample) => {
    if (sample.request.operationId !== 'listMeasurements') return false;
    const isFirst = parameterOf(sample, 'cursor') === undefined;
    return (isUnseen(sample) || counts(sample)) && (isFirst ? 'without a cursor' : 'with a cursor');
  }),
});

const lookupsBy = (by: Lookup, ...kinds: readonly string[]) => ({
  of: 'lookup',
  kinds,
  kindsIn: (all: readonly Sample[]) => {
    const kindsOf = kindsAmong(customersSeen(all));
    return ({ request: { operationId, path } }: Sample) => {
      if (operationId !== by) return [];
      const asked = path.customerId ?? path.name ?? '';
      return kindsOf(asked).map((kind) => kinds.find((one) => kind.endsWith(one)) ?? kind);
    };
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
    kindsIn: each((sample) => {
      const made = refsOf(sample).filter(isMadeUp);
      if (made.length < refsOf(sample).length) return made.length > 0 && 'beside a known ref';
      return made.length > 0 && (made.some((ref) => isRandom(ref)) ? 'random' : 'zeros');
    }),
    isOfUnknownKind: ({ isBodyUnknown }) => isBodyUnknown === true,
    untried: 'other unknown refs',
  },
  'repeat-event-delete': { of: 'call', isRepeated: true, untried: 'later calls' },
  'deleted-events-order': {
    of: 'call',
    kinds: ['refs in no order'],
    kindsIn: each((sample) => {
      const sorted = [...refsOf(sample)].sort();
      const isSorted = [sorted, sorted.toReversed()].map(String).includes(String(refsOf(sample)));
      return isSorted ? 'refs in order' : 'refs in no order';
    }),
    isOfUnknownKind: ({ isBodyUnknown }) => isBodyUnknown === true,
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
      const sent = all.map(({ request }) => JSON.stringify(request));
      return (sample) => {
        const at = sent.indexOf(JSON.stringify(sample.request));
        return [all[at] === sample ? 'first time' : 'repeated later'];
      };
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
    kindsIn: each((sample) => {
      const isListing = sample.request.operationId === 'listMeasurements';
      if (isListing && isUnseen(sample)) return 'as long as the limit';
      const { measurements } = successBody(sample) ?? {};
      const length = Array.isArray(measurements) ? measurements.length : undefined;
      return String(length) === parameterOf(sample, 'limit') && 'as long as the limit';
    }),
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
    kindsIn: each((sample) => {
      const cursor = parameterOf(sample, 'cursor') ?? '';
      if (isRandom(cursor)) return "like the service's own";
      return isMadeUp(cursor) && "unlike the service's own";
    }),
    untried: 'cursors of other tokens',
  },
  'empty-parameter': {
    of: 'listing',
    kinds: ['cursor=', 'limit=', 'both at once'],
    kindsIn: each(({ request }) => {
      const [empty, another] = request.query.filter(([, value]) => value === '');
      return empty && (another ? 'both at once' : `${empty[0]}=`);
    }),
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
    kindsIn: each(({ response }) => String(response.status)),
    untried: 'other mistakes',
  },
  'invalid-request-status': {
    of: 'invalid request',
    kinds: ['body'],
    kindsIn: (all) => {
      const odd = new Map(
        oddListings({ samples: all }).map(({ sample, oddities }) => [sample, oddities]),
      );
      return (sample) =>
        odd
          .get(sample)
          ?.map((oddity) => oddity.replaceAll('-', ' ').replace('made up', 'made-up')) ?? ['body'];
    },
    untried: 'other mistakes',
  },
  'unknown-identifier-status': {
    of: 'lookup',
    kinds: ['zeros as an id', 'a random id', 'zeros as a name', 'a random name'],
    kindsIn: each(({ request: { path } }) => {
      const asked = path.customerId ?? path.name;
      if (asked === undefined) return undefined;
      const key = path.name === undefined ? 'id' : 'name';
      if (isRandom(asked)) return `a random ${key}`;
      return isMadeUp(asked) ? `zeros as ${key === 'id' ? 'an id' : 'a name'}` : `another ${key}`;
    }),
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
    kindsIn: each(({ response: { status } }) => (status === 429 ? '429' : 'with a limit')),
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
  const {
    of,
    kinds = [],
    kindsIn,
    isRepeated,
    isOfUnknownKind,
    untried,
    ...basis
  } = BASIS[decision];
  const kindsOfOne = kindsIn?.(all) ?? (() => []);
  const seen = [...new Set(samples.flatMap(kindsOfOne))];
  // A kind was tried even if its responses say nothing about this decision, or were not seen.
  const tried = new Set(all.flatMap(kindsOfOne));
  const each = basis.each === undefined ? '' : ` ${basis.each}`;
  const known = kinds.filter((kind) => seen.includes(kind));
  const told = [...known, ...seen.filter((kind) => !kinds.includes(kind))].join(', ');
  const mayBeAny = isOfUnknownKind && all.some(({ request }) => isOfUnknownKind(request));
  const others = [...kinds.filter((kind) => !mayBeAny && !tried.has(kind)), untried];
  const responded = new Set(all.filter((one) => !isUnseen(one)).flatMap(kindsOfOne));
  const unseen = kinds.filter(
    (kind) => tried.has(kind) && !responded.has(kind) && !seen.includes(kind),
  );
  const lacking = unseen.length === 0 ? '' : `; no response seen: ${unseen.join(', ')}`;
  const what = isRepeated ? repeatsOf(samples, all) : `${each}${told && `: ${told}`}`;
  return `${count(samples.length, of)}${what}${lacking}; not tried: ${others.join(', ')}`;
}

function afterTheFirst(agesMs: readonly number[]): string {
  const known = agesMs.filter((ms) => !Number.isNaN(ms));
  if (known.length === 0) return 'at unknown times';
  const seconds = [...new Set(known.map((ms) => Math.round(ms / 1000)))];
  const sorted = seconds.sort((one, other) => one - other).map((age) => `${age} s`);
  return `${sorted.join(' and ')} after the first`;
}

function repeatsOf(samples: readonly Sample[], all: readonly Sample[]): string {
  const recordOf = ({ request }: Sample) => request.path.contractId ?? request.operationId;
  const firsts = new Map<string, number>();
  for (const one of all.filter(isSuccess)) {
    const before = firsts.get(recordOf(one)) ?? one.sentAtMs;
    firsts.set(recordOf(one), Math.min(before, one.sentAtMs));
  }
  const ages = samples.map((one) => one.sentAtMs - (firsts.get(recordOf(one)) ?? one.sentAtMs));
  const contracts = new Set(samples.map(({ request }) => request.path.contractId ?? ''));
  const among = contracts.has('') ? '' : ` of ${count(contracts.size, 'contract')},`;
  return `${among} ${afterTheFirst(ages)}`;
}
