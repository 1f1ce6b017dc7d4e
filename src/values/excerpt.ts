/** What an excerpt has of a value. */
interface ExcerptBounds {
  /** How many items and members there are at most, at any depth. */
  readonly mostElements: number;
  /** The path to a value that the excerpt must contain, wherever it is. */
  readonly names?: readonly string[];
  /** How many characters of each text to keep. */
  readonly longestText?: number;
}

/** Deeper than any schema or message goes. */
const MOST_LEVELS = 101;

/** Whether the lists and objects of a value have more elements than that, at any depth. */
export function hasMoreElements(whole: unknown, most: number): boolean {
  const open: unknown[] = [whole];
  let count = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (!isContainer(value)) continue;
    count += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (count > most) return true;
    for (const element of Object.values(value)) if (isContainer(element)) open.push(element);
  }
  return false;
}

/**
 * The first elements of a value, for what would take too long or too much memory for all of it. Lists
 * that `names` lead through begin with the item on the way, so that the excerpt has that item, and those
 * that follow it.
 */
export function excerptOf(whole: unknown, bounds: ExcerptBounds): unknown {
  const { mostElements, names: way = [], longestText = Number.POSITIVE_INFINITY } = bounds;
  let left = mostElements;

  function cut(value: unknown, names: readonly string[], level = 0): unknown {
    if (typeof value === 'string') return value.slice(0, longestText);
    // An instance of a class without members, such as a Date, is no object without members.
    if (!isContainer(value) || 'toJSON' in value || Object.keys(value).length === 0) return value;
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

/** The names that lead to a value in the whole, from those in an excerpt that begins with `way`. */
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

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The names of so many elements: of an object `first` and others, of a list those from it on. */
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
