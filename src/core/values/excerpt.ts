interface ExcerptBounds {
  /** The maximum number of items and members, counted at all depths. */
  readonly maxElements: number;
  /** The maximum number of characters in each text. */
  readonly maxTextLength?: number;
}

/** Deeper than any schema describes, or any message shows. */
const MAX_LEVELS = 101;

/** Whether a value has more than this many items and members, counted at all depths. */
export function hasMoreElements(whole: unknown, most: number): boolean {
  const open: unknown[] = [whole];
  let count = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (!isContainer(value)) continue;
    count += lengthOf(value);
    if (count > most) return true;
    for (const element of Object.values(value)) if (isContainer(element)) open.push(element);
  }
  return false;
}

/** The first elements of a value that would take too much time or memory as a whole. */
export function excerptOf(whole: unknown, bounds: ExcerptBounds): unknown {
  const { maxElements, maxTextLength = Number.POSITIVE_INFINITY } = bounds;
  let left = maxElements;

  function cut(value: unknown, level = 0): unknown {
    if (typeof value === 'string') return value.slice(0, maxTextLength);
    // Do not turn an instance of a class, such as a Date, into an object without members.
    if (!isContainer(value) || 'toJSON' in value || lengthOf(value) === 0) return value;
    if (level === MAX_LEVELS) return null;
    const elements: [string, unknown][] = [];
    // The names of millions of items would take a second.
    const names = Array.isArray(value) ? value.slice(0, left).keys() : Object.keys(value);
    for (const name of names) {
      if (left <= 0) break;
      left -= 1;
      elements.push([String(name), cut(Reflect.get(value, name), level + 1)]);
    }
    if (Array.isArray(value)) return elements.map(([, item]) => item);
    return Object.fromEntries(elements);
  }

  return cut(whole);
}

/** How many items or members it has. */
function lengthOf(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
