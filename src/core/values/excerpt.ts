interface ExcerptBounds {
  /** The most items and members, counted at all depths. */
  readonly mostElements: number;
  /** The path to a value that the excerpt must contain. */
  readonly names?: readonly string[];
  /** The most characters of each text. */
  readonly longestText?: number;
}

/** Deeper than any schema describes, or any message shows. */
const MOST_LEVELS = 101;

/** Whether a value has more than `most` items and members, counted at all depths. */
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

/**
 * The first elements of a value that would take too much time or memory as a whole. To include the
 * value that `names` leads to, lists on the way begin with the item that leads to it.
 */
export function excerptOf(whole: unknown, bounds: ExcerptBounds): unknown {
  const { mostElements, names: way = [], longestText = Number.POSITIVE_INFINITY } = bounds;
  let left = mostElements;

  function cut(value: unknown, names: readonly string[], level = 0): unknown {
    if (typeof value === 'string') return value.slice(0, longestText);
    // Do not turn an instance of a class, such as a Date, into an object without members.
    if (!isContainer(value) || 'toJSON' in value || lengthOf(value) === 0) return value;
    if (level === MOST_LEVELS) return null;
    const [first, ...rest] = names;
    const elements: [string, unknown][] = [];
    for (const name of namesIn(value, first, left)) {
      if (left <= 0) break;
      left -= 1;
      elements.push([name, cut(Reflect.get(value, name), name === first ? rest : [], level + 1)]);
    }
    if (Array.isArray(value)) return elements.map(([, item]) => item);
    return Object.fromEntries(elements);
  }

  return cut(whole, way);
}

/** Translates the path to a value in an excerpt, made with `names: way`, to its path in `whole`. */
export function placeInWhole(
  whole: unknown,
  way: readonly string[],
  names: readonly string[],
): readonly string[] {
  let parent = whole;
  let isOnTheWay = true;
  return names.map((name, level) => {
    const isItem = isOnTheWay && Array.isArray(parent);
    const own = isItem ? String(Number(name) + startOf(way[level])) : name;
    isOnTheWay &&= own === way[level];
    parent = isContainer(parent) ? Reflect.get(parent, own) : undefined;
    return own;
  });
}

/** How many items or members it has; the names of millions of items would take a second. */
function lengthOf(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The names of elements to take: in an object `first` and others, in a list from `first` on. */
function namesIn(value: object, first: string | undefined, most: number): readonly string[] {
  if (!Array.isArray(value)) {
    const has = first !== undefined && Object.hasOwn(value, first);
    const names = Object.keys(value);
    return has ? [first, ...names.slice(0, most).filter((name) => name !== first)] : names;
  }
  const start = startOf(first);
  const length = Math.max(0, Math.min(value.length - start, most));
  return Array.from({ length }, (_, nth) => String(start + nth));
}

function startOf(name: string | undefined): number {
  return /^\d+$/.test(name ?? '') ? Number(name) : 0;
}
