/**
 * Adds members that are data, each fetched when it is read. They are not enumerable, so that printing,
 * copying or comparing the part sends nothing.
 */
export function withData<Verbs extends object, Data extends object>(
  verbs: Verbs,
  data: { readonly [Name in keyof Data]: () => Promise<Data[Name]> },
): Verbs & { readonly [Name in keyof Data]: Promise<Data[Name]> } {
  const entries = Object.entries<() => Promise<unknown>>(data);
  const members = Object.fromEntries(entries.map(([name, read]) => [name, { get: read }]));
  return Object.defineProperties(verbs, members) as ReturnType<typeof withData<Verbs, Data>>;
}
