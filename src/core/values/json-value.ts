/** Whether a value is an object, but not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object, or the items of a list; none if the value is something else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  // Not a copy: a list may have millions of items.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The JSON pointer to a value (RFC 6901, section 3); without names, to the whole document. */
export function pointerTo(...names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The names in a JSON pointer, unescaped, such as `refs` and `0`. */
export function namesOfPointer(pointer: string): string[] {
  const [, ...names] = pointer.split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function valueAt(value: unknown, pointer: string): unknown {
  return namesOfPointer(pointer).reduce(memberOf, value);
}

/** The own member of an object or a list; `undefined` where there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
