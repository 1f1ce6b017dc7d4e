import type { OperationId } from '../../billing/operation.js';
import { isObject, pointerTo } from '../../values/json-value.js';
import type { Described, Schema } from '../seen/documented-members.js';
import type { Violation } from '../settle-report.js';

/** One place in which a success does not match. */
export type Occurrence = Omit<Violation, 'operationId' | 'count' | 'of'>;

/** The records of a kind: whether each optional member was ever seen. */
interface Presence extends Pick<Violation, 'operationId' | 'pointer'> {
  readonly present: Set<string>;
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
  const looks = new Map<string, number>();
  const kinds = new Map<Schema, Presence>();

  return {
    /** Counts a value that the document describes. */
    look(operationId: OperationId, { place, value }: Described): void {
      const { pointer, schema } = place;
      const key = `${operationId} ${pointer}`;
      looks.set(key, (looks.get(key) ?? 0) + 1);
      // The body itself is no record: `nextCursor` is rightly absent from a last page.
      if (pointer === '' || !isObject(value) || !schema.properties) return;
      const presence = kinds.get(schema) ?? { operationId, pointer, present: new Set(), count: 0 };
      kinds.set(schema, presence);
      presence.count += 1;
      for (const name of Object.keys(value)) presence.present.add(name);
    },

    add(operationId: OperationId, occurrence: Occurrence): void {
      const { kind, pointer, example } = occurrence;
      const key = `${operationId} ${pointer} ${kind}`;
      const first = { ...occurrence, operationId };
      const entry = found.get(key) ?? { first, examples: new Set(), count: 0 };
      found.set(key, entry);
      entry.count += 1;
      const most = kind === 'unlisted-value' ? MOST_VALUES : 1;
      if (example !== undefined && entry.examples.size < most) entry.examples.add(example);
    },

    /** The most frequent ones first. */
    violations(): Violation[] {
      const seen = [...found.values()].map(({ first, examples, count }) => {
        // An item is one of many, a member one of its parent.
        const { pointer } = first;
        const whole = pointer.endsWith('/*') ? pointer : pointer.replace(/\/[^/]*$/, '');
        return {
          ...first,
          count,
          of: looks.get(`${first.operationId} ${whole}`) ?? 0,
          ...(examples.size > 0 && { example: [...examples].join(', ') }),
        };
      });
      const missing = [...kinds].flatMap(([schema, presence]) => neverPresent(schema, presence));
      return [...seen, ...missing].sort((one, other) => other.count - one.count);
    },
  };
}

function neverPresent(schema: Schema, presence: Presence): Violation[] {
  const { operationId, pointer, present, count } = presence;
  const { properties = {}, required = [] } = schema;
  const kind = 'never-present';
  return Object.keys(properties)
    .filter((name) => !present.has(name) && !required.includes(name))
    .map((name) => {
      return { kind, operationId, pointer: pointer + pointerTo(name), count, of: count };
    });
}
