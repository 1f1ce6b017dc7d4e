import type { DecisionId } from '../decisions/ledger.js';
import { count } from '../values/plural.js';
import { isRandom } from './seen/made-up-values.js';
import { isSuccess, parameterOf, type Sample } from './seen/samples.js';

/** What a verdict rests on. */
interface Basis {
  /** What is counted, as a noun. */
  readonly of: string;
  /** What a settled value needs of these, if it is more than one. */
  readonly how?: string;
  /** Instead of that, of which kind each is. */
  readonly kindOf?: (sample: Sample) => string;
  /** Where another value could hide. */
  readonly untried: string;
}

const limitOf = (sample: Sample) => parameterOf(sample, 'limit') ?? '';
const isForged = (sample: Sample) => isRandom(parameterOf(sample, 'cursor') ?? '');
const TOKENS = { none: 'none', 'made-up': 'made-up', alike: 'in the letters of the given one' };
const tokenOf = ({ request: { token } }: Sample) =>
  token in TOKENS ? TOKENS[token as keyof typeof TOKENS] : 'unknown';

const LATER = 'at once and 3 s after the first';
const RECORDS = 'other records';
const MISTAKES = 'other mistakes';
const LISTINGS = 'listings of another length';

/** What a verdict on each decision rests on, and what was not tried. */
const BASIS: Readonly<Record<DecisionId, Basis>> = {
  'success-status': { of: 'successful deletion', untried: RECORDS },
  'customer-id-matches': {
    of: 'lookup',
    how: 'by id and externalId, name and alias, and in another case',
    untried: 'names and aliases of all but one customer',
  },
  'name-matches': {
    of: 'lookup',
    how: 'by name and alias, id and externalId, in another case, and by other forms of one name',
    untried: 'ids of all but one customer',
  },
  'duplicate-name': { of: 'lookup', how: 'by a name of two customers', untried: 'another two' },
  'repeat-delete': { of: 'delete', how: LATER, untried: 'later' },
  'unmatched-refs': {
    of: 'call',
    how: 'with unknown refs, of zeros, random, and beside a known one',
    untried: 'refs of another form',
  },
  'repeat-event-delete': { of: 'call', how: LATER, untried: 'later' },
  'deleted-events-order': { of: 'call', how: 'with refs in no order', untried: RECORDS },
  'unknown-body-members': { of: 'call', how: 'with an unknown member', untried: 'others' },
  'updated-at-on-delete': { of: 'deleted record', untried: RECORDS },
  'measurement-order': {
    of: 'listing',
    how: 'of at least 5 measurements, again at the end',
    untried: 'what was not listed',
  },
  'total-counts': {
    of: 'page',
    how: 'between first pages that are the same',
    untried: 'one that came while another went',
  },
  'last-page': { of: 'last page', how: 'cut by the limit', untried: LISTINGS },
  'final-cursor': { of: 'last page', untried: LISTINGS },
  'cursor-lifetime': { of: 'use', how: 'of a cursor', untried: 'other ages' },
  'invalid-cursor': {
    of: 'made-up cursor',
    how: '(one in the letters of the service)',
    kindOf: (sample) => (isForged(sample) ? 'in the letters of the service' : 'fixed'),
    untried: 'cursors of others',
  },
  'empty-parameter': { of: 'listing', how: 'with cursor= or limit=', untried: 'both at once' },
  'fractional-limit': {
    of: 'limit',
    how: '(2.5, 2.7 and 3.5)',
    kindOf: limitOf,
    untried: 'other fractions',
  },
  'limit-out-of-bounds': {
    of: 'limit',
    how: '(0, -1 and 1001), and the highest that is kept',
    kindOf: limitOf,
    untried: 'others',
  },
  'unknown-query-parameters': {
    of: 'listing',
    how: 'with an unknown parameter',
    untried: 'others',
  },
  'error-body': { of: 'refusal', untried: MISTAKES },
  'invalid-request-status': { of: 'invalid request', untried: MISTAKES },
  'unknown-identifier-status': {
    of: 'lookup',
    how: 'by ids and names of zeros, and random ones',
    kindOf: ({ request: { path } }) =>
      isRandom(path.name ?? path.customerId ?? '') ? 'random' : 'of zeros, or not found',
    untried: 'other forms',
  },
  'unauthorized-status': {
    of: 'listing',
    how: 'without a token, and with made-up ones',
    kindOf: (sample) => `token: ${tokenOf(sample)}`,
    untried: 'expired tokens',
  },
  'unknown-token': {
    of: 'made-up token',
    how: '(one in the letters of the given one)',
    kindOf: tokenOf,
    untried: 'others',
  },
  'optional-fields': { of: 'response', how: 'with records', untried: RECORDS },
  'enum-values': { of: 'response', how: 'with a source, unit or type', untried: RECORDS },
  'undocumented-fields': { of: 'response', how: 'with records', untried: RECORDS },
  'rate-limit': { of: 'response', how: 'with a stated limit', untried: 'whether it is kept' },
};

/** What a verdict rests on in one line: `2 repeated deletes, 0 s and 3 s after the first; not tried: later`. */
export function restsOn(
  decision: DecisionId,
  samples: readonly Sample[],
  all: readonly Sample[],
  isSettled: boolean,
): string {
  const { of, how, kindOf, untried } = BASIS[decision];
  const kinds = kindOf && ` (${[...new Set(samples.map(kindOf))].join(', ')})`;
  const inWords = kinds ?? (isSettled && how ? ` ${how}` : '');
  const told = how === LATER ? timesOf(samples, all) : inWords;
  return `${count(samples.length, of)}${told}; not tried: ${untried}`;
}

/** What the page says of a decision: the same, without numbers. */
export function basisInWords(decision: DecisionId): readonly [restsOn: string, untried: string] {
  const { of, how = '', untried } = BASIS[decision];
  return [`${of}s ${how}`.trim(), untried];
}

/** When each was sent after the first that succeeded, and of how many records. */
function timesOf(samples: readonly Sample[], all: readonly Sample[]): string {
  const recordOf = ({ request }: Sample) => request.path.contractId ?? request.operationId;
  const firsts = new Map<string, number>();
  for (const one of all.filter(isSuccess)) {
    const before = firsts.get(recordOf(one)) ?? one.sentAtMs;
    firsts.set(recordOf(one), Math.min(before, one.sentAtMs));
  }
  const ages = samples.map((one) =>
    Math.round((one.sentAtMs - (firsts.get(recordOf(one)) ?? one.sentAtMs)) / 1000),
  );
  const seconds = [...new Set(ages)].sort((one, other) => one - other).map((age) => `${age} s`);
  const contracts = new Set(samples.map(({ request }) => request.path.contractId ?? ''));
  const among = contracts.has('') ? '' : ` of ${count(contracts.size, 'contract')}`;
  return `${among}, ${seconds.join(' and ')} after the first`;
}
