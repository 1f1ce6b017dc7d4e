import type { Fixture } from './fixture.js';
import { membersOf } from './fixture-checks.js';
import type { Mistake } from './mistake.js';

/** What of a fixture can be understood in spite of its mistakes. */
export interface SoundPart {
  readonly fixture: Fixture;
  /** Every text within the customers that was left out: one of them may be an id or an alias. */
  readonly doubtful: readonly string[];
}

/** The fixture without the values that are wrong; records keep their places in the lists. */
export function soundPartOf(value: unknown, mistakes: readonly Mistake[]): SoundPart {
  if (mistakes.length === 0) return { fixture: value as Fixture, doubtful: [] };
  const whole = { fixture: structuredClone(value) };
  const removed = mistakes.map(({ path }) => ({
    path,
    value: remove(whole, ['fixture', ...path]),
  }));
  const ofCustomers = removed.filter(({ path: [section] }) => section === 'customers');
  return {
    fixture: membersOf(whole.fixture) as Fixture,
    doubtful: ofCustomers.flatMap((one) => textsIn(one.value)),
  };
}

/** Takes the value away that the path leads to, and returns it; an empty item stays in a list. */
function remove(value: object, [name = '', ...rest]: readonly string[]): unknown {
  const parent = value as Record<string, unknown>;
  const child = parent[name];
  if (rest.length > 0) {
    return typeof child === 'object' && child !== null ? remove(child, rest) : undefined;
  }
  if (Array.isArray(value)) parent[name] = {};
  else delete parent[name];
  return child;
}

function textsIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : [String(value)];
}
