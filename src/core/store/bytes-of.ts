/** Bytes that values take, measured on values that `JSON.parse` made. */
const CONTAINER = 64;
const MEMBER = 16;
const TEXT = 24;

/** What counts the bytes that it takes by itself. */
export abstract class Sized {
  abstract readonly bytes: number;
}

/** About how many bytes a value takes. Only strings, plain objects, arrays and `Sized` count. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return TEXT + bytesOfText(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof Sized) return value.bytes;
  let bytes = CONTAINER;
  if (Array.isArray(value)) for (const element of value) bytes += MEMBER + bytesOf(element);
  else for (const name of Object.keys(value)) bytes += bytesOfMember(value, name);
  return bytes;
}

/**
 * How many more bytes the new value takes than the old one. Skips what both share, so counting one
 * new element of a long list costs little more than that element.
 */
export function growthOf(before: unknown, after: unknown): number {
  if (before === after) return 0;
  if (Array.isArray(before) && Array.isArray(after)) return growthOfList(before, after);
  if (!isPlain(before) || !isPlain(after)) return bytesOf(after) - bytesOf(before);
  let growth = 0;
  for (const name of Object.keys(after)) {
    const isCommon = Object.hasOwn(before, name);
    growth += isCommon ? growthOf(before[name], after[name]) : bytesOfMember(after, name);
  }
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) growth -= bytesOfMember(before, name);
  }
  return growth;
}

function growthOfList(before: readonly unknown[], after: readonly unknown[]): number {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < most - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  let growth = MEMBER * (after.length - before.length);
  const length = Math.max(before.length, after.length) - last;
  for (let index = first; index < length; index += 1) {
    const [old, now] = [before, after].map((list) =>
      index < list.length - last ? list[index] : undefined,
    );
    growth += growthOf(old, now);
  }
  return growth;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bytesOfMember(object: object, name: string): number {
  return MEMBER + bytesOfText(name) + bytesOf(Reflect.get(object, name));
}

/** A string takes two bytes a character as soon as one of them is beyond Latin-1. */
function bytesOfText(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
}
