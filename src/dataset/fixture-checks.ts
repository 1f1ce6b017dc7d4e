import type { Customer } from '../billing/resources.js';
import { daysBetween } from './days.js';
import type { Fixture, World } from './fixture.js';
import type { Mistake } from './mistake.js';

const MOST_MEASUREMENTS = 20_000_000;

/** Ids that are given twice in one list. Takes values of any type: other checks refuse the wrong ones. */
export function repeatedIds(value: unknown): Mistake[] {
  const { generate, ...lists } = membersOf(value);
  return [
    ...Object.entries(lists).flatMap(([name, list]) => repeatedIdsIn([name], list)),
    ...repeatedIdsIn(['generate', 'meters'], membersOf(generate).meters),
  ];
}

/** Customers that a record names and that are not there. */
export function danglingReferences(
  { contracts = [], measurements = [], events = [] }: Fixture,
  customers: () => readonly Customer[],
): Mistake[] {
  const owners = [
    ...contracts.map(({ customerId }, index) => reference('contracts', index, customerId)),
    ...measurements.map(({ customerId }, index) => reference('measurements', index, customerId)),
  ].filter(isGiven);
  const aliases = events
    .map(({ customerAlias }, index) => reference('events', index, customerAlias, 'customerAlias'))
    .filter(isGiven);
  if (owners.length + aliases.length === 0) return [];

  const known = customers();
  const knownIds = new Set(known.map(({ id }) => id));
  const knownAliases = new Set(known.flatMap((customer) => customer.aliases ?? []));
  return [
    ...owners
      .filter(({ received }) => !knownIds.has(received))
      .map((mistake) => ({
        ...mistake,
        expected: 'the id of a customer',
        mend: 'Give a customer this id, or correct it.',
      })),
    ...aliases
      .filter(({ received }) => !knownAliases.has(received))
      .map((mistake) => ({
        ...mistake,
        expected: 'an alias of a customer',
        mend: 'Give a customer this alias, or correct it.',
      })),
  ];
}

/** What every member of a generate section allows, but not together. */
export function impossibleWorld(
  { generate = {} }: Fixture,
  world: World,
  castSize: number,
): Mistake[] {
  const { from, to, customers, meters } = world;
  if (to < from) {
    return generate.to === undefined
      ? [{ path: ['generate', 'from'], expected: `${to} or earlier`, received: from }]
      : [{ path: ['generate', 'to'], expected: `${from} or later`, received: to }];
  }
  const measurements = (castSize + customers) * meters.length * daysBetween(from, to).length;
  if (measurements <= MOST_MEASUREMENTS) return [];
  return [
    {
      path: ['generate'],
      expected: `at most ${MOST_MEASUREMENTS} measurements (customers x meters x days)`,
      received: measurements,
      mend: 'Make one of the three smaller.',
    },
  ];
}

function repeatedIdsIn(path: readonly string[], list: unknown): Mistake[] {
  const seen = new Set<string>();
  return (Array.isArray(list) ? list : []).flatMap((record: unknown, index) => {
    const { id } = membersOf(record);
    if (typeof id !== 'string') return [];
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated
      ? [{ path: [...path, String(index), 'id'], expected: 'an id of its own', received: id }]
      : [];
  });
}

function reference(
  resource: string,
  index: number,
  received: string | undefined,
  member = 'customerId',
) {
  return { path: [resource, String(index), member], received };
}

function isGiven<T extends { readonly received: string | undefined }>(
  reference: T,
): reference is T & { readonly received: string } {
  return reference.received !== undefined;
}

/** The members of an object; none if the value is something else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
