/** More items than any list of the document may have, and few enough to report each error. */
const MOST_ITEMS = 10_000;

/**
 * The body with the lists among its members cut to 10,000 items, for the validator: it
 * creates an error for every invalid item, and millions of them would block the server.
 */
export function boundLists(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const members = Object.entries(body);
  if (!members.some(([, value]) => isTooLong(value))) return body;
  return Object.fromEntries(
    members.map(([name, value]) => [name, isTooLong(value) ? value.slice(0, MOST_ITEMS) : value]),
  );
}

function isTooLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > MOST_ITEMS;
}
