import type { OperationId } from '../billing/operation.js';
import { pointerTo } from '../errors/json-pointer.js';
import { isObject } from '../messages/is-object.js';
import type { Described, Place, Schema } from './places.js';
import type { Violation } from './violation.js';

/** One place in which a success does not match. */
export type Occurrence = Omit<Violation, 'operationId' | 'count' | 'of'>;

/** The records of a kind: whether each optional member was ever seen. */
interface Presence {
  readonly operationId: OperationId;
  readonly pointer: string;
  readonly present: Set<string>;
  count: number;
}

/** How often a place was looked at. */
interface Look {
  readonly operationId: OperationId;
  count: number;
}

interface Found {
  readonly first: Occurrence & Pick<Violation, 'operationId'>;
  /** The values of an open list; the first example of anything else. */
  readonly examples: Set<string>;
  count: number;
}

const MOST_VALUES = 5;

/** Counts what is looked at, and what does not match. */
export function createTally() {
  const found = new Map<string, Found>();
  const looks = new Map<Place, Look>();
  const kinds = new Map<Schema, Presence>();

  /** An item is one of many, a member one of its parent. */
  function looksAt(operationId: OperationId, pointer: string): number {
    const whole = pointer.endsWith('/*') ? pointer : pointer.replace(/\/[^/]*$/, '');
    const at = [...looks].find(
      ([place, look]) => place.pointer === whole && look.operationId === operationId,
    );
    return at?.[1].count ?? 0;
  }

  return {
    /** Counts a value that the document describes. */
    look(operationId: OperationId, { place, value }: Described): void {
      const look = looks.get(place) ?? { operationId, count: 0 };
      looks.set(place, look);
      look.count += 1;
      const { pointer, schema } = place;
      // The body itself is no record: `nextCursor` is rightly absent from a last page.
      if (pointer === '' || !isObject(value) || !schema.properties) return;
      const presence = kinds.get(schema) ?? { operationId, pointer, present: new Set(), count: 0 };
      kinds.set(schema, presence);
      presence.count += 1;
      for (const name of Object.keys(value)) presence.present.add(name);
    },

    add(operationId: OperationId, occurrence: Occurrence): void {
      const { kind, pointer, example } = occurrence;
      const key = keyOf(operationId, pointer, kind);
      const first = { ...occurrence, operationId };
      const entry = found.get(key) ?? { first, examples: new Set(), count: 0 };
      found.set(key, entry);
      entry.count += 1;
      const most = kind === 'unlisted-value' ? MOST_VALUES : 1;
      if (example !== undefined && entry.examples.size < most) entry.examples.add(example);
    },

    /** The most frequent ones first. */
    violations(): Violation[] {
      const seen = [...found.values()].map(({ first, examples, count }) => ({
        ...first,
        count,
        of: looksAt(first.operationId, first.pointer),
        ...(examples.size > 0 && { example: [...examples].join(', ') }),
      }));
      const missing = [...kinds].flatMap(([schema, presence]) => neverPresent(schema, presence));
      return [...seen, ...missing].sort((one, other) => other.count - one.count);
    },
  };
}

function keyOf(...parts: readonly string[]): string {
  return parts.join(' ');
}

function neverPresent(schema: Schema, presence: Presence): Violation[] {
  const { operationId, pointer, present, count } = presence;
  const { properties = {}, required = [] } = schema;
  return Object.keys(properties)
    .filter((name) => !present.has(name) && !required.includes(name))
    .map((name) => ({
      kind: 'never-present',
      operationId,
      pointer: `${pointer}${pointerTo(name)}`,
      count,
      of: count,
    }));
}
