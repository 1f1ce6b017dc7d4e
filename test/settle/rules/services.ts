import type { Behaviour, Truth } from '../truth/behaviours.js';
import { PLAIN, type Reply, type Rules } from '../truth/billing-service.js';

/** What a conclusion needs, and what a service of the table breaks if it is not heeded. */
export const RULES = {
  kinds: 'a conclusion needs each kind of value that tells the alternatives apart',
  later: 'what is refused or listed may be so for a moment',
  sent: 'what is returned may look so by itself',
  envelope: 'a success has the documented envelope, and a refusal is of the service',
  difference: 'what is unchanged needs a difference that could have been seen',
  limit: 'the effective limit is measured',
} as const;

export type Rule = keyof typeof RULES;

/** A service that makes a hasty conclusion wrong. */
export interface Service extends Pick<Behaviour, 'name' | 'truth'> {
  readonly rule: Rule;
  /** Made for each run: some services remember what they were asked. */
  readonly rules: () => Partial<Rules>;
}

type Line = readonly [name: string, rules: Partial<Rules> | (() => Partial<Rules>), truth?: Truth];

const json = (status: number, body: unknown): Reply => ({ status, body });

/** Whether a deletion was so long ago. */
const since = ({ deletedAt = '' }: { deletedAt?: string }, ms: number) =>
  Date.now() - Date.parse(deletedAt) >= ms;

const isFolded = (asked: string, text: string) => asked.toLowerCase() === text.toLowerCase();

/** A limit that is rounded in this way. */
const rounding =
  (round: (limit: number) => number): Rules['limit'] =>
  (text) => {
    const limit = Number(text);
    return limit % 1 === 0 || Number.isNaN(limit) ? PLAIN.limit(text) : round(limit);
  };

const KINDS: readonly Line[] = [
  [
    'rounds half a limit to even',
    {
      limit: rounding((limit) =>
        limit % 1 === 0.5 ? 2 * Math.round(limit / 2) : Math.round(limit),
      ),
    },
    { 'fractional-limit': null },
  ],
  [
    'rounds half a limit down, and more up',
    { limit: rounding((limit) => Math.ceil(limit - 0.5)) },
    { 'fractional-limit': null },
  ],
  [
    'refuses ids of zeros with 400, and finds no others with 404',
    { notFound: (asked, kind) => PLAIN.error(kind === 'id' && /0{8}/.test(asked) ? 400 : 404) },
    { 'unknown-identifier-status': null },
  ],
  [
    'finds no ids of zeros with 404, and refuses other unknown ones with 400',
    { notFound: (asked, kind) => PLAIN.error(kind === 'id' && !/0{8}/.test(asked) ? 400 : 404) },
    { 'unknown-identifier-status': null },
  ],
  [
    'finds aliases in any case, and names exactly',
    {
      findsByName: (asked, { name, aliases }) =>
        asked === name || aliases.some((alias) => isFolded(asked, alias)),
    },
    { 'name-matches': null },
  ],
];

const LATER: readonly Line[] = [
  [
    'answers a repeated delete with 409 for two seconds, and then with 404',
    {
      repeatedDelete: (contract) =>
        since(contract, 2_000) ? 'not-found' : json(409, { message: 'Is being deleted' }),
    },
  ],
];

const SENT: readonly Line[] = [
  [
    'lists deleted events by ref, the last first',
    { eventsBy: (one, other) => (one.ref > other.ref ? -1 : 1) },
    { 'deleted-events-order': null },
  ],
  [
    'has 20 on a page at most, over 40 rows, and ends with an empty page',
    {
      measurements: 40,
      limit: (text) => {
        const limit = PLAIN.limit(text);
        return limit === 'refuse' ? limit : Math.min(limit, 20);
      },
      hasMore: (_, __, isFull) => isFull,
    },
    { 'last-page': 'trailing-empty-page' },
  ],
];

const ENVELOPE: readonly Line[] = [
  [
    'answers refs of no event with 200 and an error',
    {
      unmatchedRefs: 'not-found',
      notFound: (_, kind) => (kind === 'ref' ? json(200, { error: 'No' }) : PLAIN.error(404)),
    },
    { 'unmatched-refs': null },
  ],
];

const DIFFERENCE: readonly Line[] = [
  [
    'has the day alone in updatedAt',
    {
      shows: (record) => ({
        ...record,
        updatedAt: `${String(record.updatedAt).slice(0, 10)}T00:00:00.000Z`,
      }),
    },
    { 'updated-at-on-delete': null },
  ],
  [
    'answers a repeated delete with 400, and an unknown id with 404',
    { repeatedDelete: () => json(400, { message: 'Is deleted' }) },
    { 'repeat-delete': null },
  ],
];

const LIMIT: readonly Line[] = [
  [
    'raises a limit of 0 to 1, and takes more than 1000 as 10',
    {
      measurements: 1500,
      limit: (text) => {
        const limit = Number(text);
        if (!Number.isInteger(limit)) return 'refuse';
        return limit > 100 ? 10 : Math.max(1, limit);
      },
    },
    { 'limit-out-of-bounds': null },
  ],
];

const TABLE: Readonly<Record<Rule, readonly Line[]>> = {
  kinds: KINDS,
  later: LATER,
  sent: SENT,
  envelope: ENVELOPE,
  difference: DIFFERENCE,
  limit: LIMIT,
};

/** Every service of the table. */
export const SERVICES: readonly Service[] = (Object.keys(TABLE) as Rule[]).flatMap((rule) =>
  TABLE[rule].map(([name, rules, truth = {}]) => ({
    rule,
    name,
    truth,
    rules: typeof rules === 'function' ? rules : () => rules,
  })),
);
