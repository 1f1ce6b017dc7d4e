/** A deeply frozen copy of a value of plain objects and arrays. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  // `map` loses the type of the list.
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const members = Object.entries(value).map(([name, member]) => [name, frozenCopy(member)]);
  return Object.freeze(Object.fromEntries(members));
}

/** Deeply freezes a value of plain objects and arrays; returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
