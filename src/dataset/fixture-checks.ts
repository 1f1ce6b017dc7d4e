import { DEFAULT_DECISIONS } from '../billing/decisions.js';
import type { Customer } from '../billing/resources.js';
import { switchDecisions } from '../billing/switch-decisions.js';
import { daysBetween } from './days.js';
import type { Fixture, World } from './fixture.js';
import type { Mistake } from './mistake.js';

const LONGEST_ID = 1_000;

/** How many records a process can hold in a gigabyte, and make in half a minute. */
const MOST: Readonly<Record<string, number>> = {
  contracts: 200_000,
  events: 2_000_000,
  measurements: 20_000_000,
};

/**
 * Ids that are given twice in one list, or that no record can have. Takes values of every type:
 * other checks refuse the wrong ones.
 */
export function wrongIds(value: unknown): Mistake[] {
  const { generate, ...lists } = membersOf(value);
  return [
    ...Object.entries(lists).flatMap(([name, list]) => wrongIdsIn([name], list)),
    ...wrongIdsIn(['generate', 'meters'], membersOf(generate).meters),
  ];
}

/** Days of usage that no calendar has, such as 30 February. */
export function wrongDays(value: unknown): Mistake[] {
  const { measurements } = membersOf(value);
  return (Array.isArray(measurements) ? measurements : []).flatMap((measurement, index) =>
    wrongDay(measurement).map(({ path, ...mistake }) => ({
      ...mistake,
      path: ['measurements', String(index), ...path],
    })),
  );
}

/** The day of a measurement, if no calendar has it; a part that is left out is not looked at. */
export function wrongDay(measurement: unknown): Mistake[] {
  const { usageDate } = membersOf(measurement);
  // A leap year and a long month, where these are not said.
  const { year = 2000, month = 1, day = 1 } = membersOf(usageDate);
  const parts = [year, month, day];
  if (!parts.every(Number.isInteger)) return [];
  const [fullYear = '', ...others] = parts.map((part) => String(part).padStart(2, '0'));
  const date = [fullYear.padStart(4, '0'), ...others].join('-');
  const isDay = !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
  return isDay
    ? []
    : [{ path: ['usageDate'], expected: 'a day of the calendar', received: usageDate }];
}

/** Decisions that there are not, or that cannot take their value. */
export function wrongDecisions(value: unknown): Mistake[] {
  const changes = membersOf(membersOf(value).decisions);
  const { mistakes } = switchDecisions(DEFAULT_DECISIONS, changes, 'server');
  return mistakes.map((mistake) => ({ ...mistake, path: ['decisions', ...mistake.path] }));
}

/** Customers that a record names and that are not there; what is doubtful may be one. */
export function danglingReferences(
  fixture: Fixture,
  customers: readonly Customer[],
  doubtful: readonly string[],
): Mistake[] {
  const ids = new Set<unknown>([...customers.map(({ id }) => id), ...doubtful]);
  const aliases = new Set<unknown>([
    ...customers.flatMap((customer) => customer.aliases ?? []),
    ...doubtful,
  ]);
  const owner = {
    member: 'customerId',
    known: ids,
    expected: 'the id of a customer',
    mend: 'Give a customer this id, or correct it; ids of invented customers follow the seed.',
  };
  const alias = {
    member: 'customerAlias',
    known: aliases,
    expected: 'an alias of a customer',
    mend: 'Give a customer this alias, or correct it.',
  };
  return [
    ...dangling('contracts', fixture.contracts, owner),
    ...dangling('measurements', fixture.measurements, owner),
    ...dangling('events', fixture.events, alias),
  ];
}

interface Reference {
  readonly member: string;
  readonly known: ReadonlySet<unknown>;
  readonly expected: string;
  readonly mend: string;
}

function dangling(
  resource: string,
  list: unknown,
  { member, known, expected, mend }: Reference,
): Mistake[] {
  return (Array.isArray(list) ? list : []).flatMap((record: unknown, index) => {
    const received = membersOf(record)[member];
    return typeof received !== 'string' || known.has(received)
      ? []
      : [{ path: [resource, String(index), member], expected, received, mend }];
  });
}

/** A range of days that ends before it begins. */
export function reversedRange({ generate = {} }: Fixture, { from, to }: World): Mistake[] {
  if (from <= to) return [];
  return generate.to === undefined
    ? [{ path: ['generate', 'from'], expected: `${to} or earlier`, received: from }]
    : [{ path: ['generate', 'to'], expected: `${from} or later`, received: to }];
}

/** More records than a process can hold, each count being allowed for itself. */
export function oversizedWorld(world: World, castSize: number): Mistake[] {
  const { from, to, customers, meters } = world;
  const { contractsPerCustomer, eventsPerCustomer } = world;
  const all = castSize + customers;
  const days = daysBetween(from, to).length;
  const sizes: Readonly<Record<string, readonly [number, string]>> = {
    contracts: [customers * contractsPerCustomer, 'customers x contractsPerCustomer'],
    events: [all * eventsPerCustomer, 'customers x eventsPerCustomer'],
    measurements: [all * meters.length * days, 'customers x meters x days'],
  };
  return Object.entries(sizes).flatMap(([name, [size, factors]]) =>
    size <= (MOST[name] ?? 0)
      ? []
      : [
          {
            path: ['generate'],
            expected: `at most ${MOST[name]} ${name} (${factors})`,
            received: size,
            mend: 'Make one of the factors smaller.',
          },
        ],
  );
}

/** What an id must be that this one is not: a longer one fits in no path and in no cursor. */
export function expectedId(id: unknown): string | undefined {
  const isUsable = typeof id === 'string' && id.length > 0 && id.length <= LONGEST_ID;
  return isUsable ? undefined : `a text of 1 to ${LONGEST_ID} characters`;
}

function wrongIdsIn(path: readonly string[], list: unknown): Mistake[] {
  const seen = new Set<string>();
  return (Array.isArray(list) ? list : []).flatMap((record: unknown, index) => {
    const { id } = membersOf(record);
    if (typeof id !== 'string') return [];
    const isRepeated = seen.has(id);
    seen.add(id);
    const expected = isRepeated ? 'an id of its own' : expectedId(id);
    return expected ? [{ path: [...path, String(index), 'id'], expected, received: id }] : [];
  });
}

/** The members of an object; none if the value is something else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
