/** More items than any list of the document may have, and few enough to tell what is wrong with each. */
const MOST_ITEMS = 10_000;

/**
 * The body with the lists among its members cut to 10,000 items, for the validator: it makes an
 * error of every wrong item, and millions of them would stop the server for everybody.
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
