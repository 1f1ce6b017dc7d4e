import { isObject } from './json-value.js';
import { ownText } from './own-text.js';

/** The members of a body, but few, with the lengths of those that are lists. */
export type BodyInShort = ReadonlyMap<string, ListInShort | undefined>;

interface ListInShort {
  readonly length: number;
  readonly hasRepeated: boolean;
}

const MAX_MEMBERS = 20;
const MAX_NAME_LENGTH = 100;
/** Repeated items are looked for among the first of a list. */
const MAX_ITEMS = 1_000;

/** What the coverage tells of a parsed body, in little memory. */
export function bodyInShort(body: unknown): BodyInShort {
  const members = new Map<string, ListInShort | undefined>();
  if (!isObject(body)) return members;
  for (const name in body) {
    if (members.size === MAX_MEMBERS) break;
    const value: unknown = Reflect.get(body, name);
    members.set(
      ownText(name.slice(0, MAX_NAME_LENGTH)),
      Array.isArray(value) ? inShort(value) : undefined,
    );
  }
  return members;
}

function inShort(list: readonly unknown[]): ListInShort {
  const first = list.slice(0, MAX_ITEMS);
  return { length: list.length, hasRepeated: new Set(first).size < first.length };
}
