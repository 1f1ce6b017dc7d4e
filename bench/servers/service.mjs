// The measured operations over plain records, as cheap as they can be.

/** An account is only its deletions; beyond this many accounts, the oldest is forgotten. */
const MAX_ACCOUNTS = 1_000;

export function createService({ customers, measurements, events }) {
  const customersById = new Map(customers.map((customer) => [customer.id, customer]));
  const eventsByRef = Map.groupBy(events, ({ ref }) => ref);
  const accounts = new Map();

  function deletionsOf(token) {
    if (!accounts.has(token)) {
      if (accounts.size >= MAX_ACCOUNTS) accounts.delete(accounts.keys().next().value);
      accounts.set(token, new Set());
    }
    return accounts.get(token);
  }

  return {
    customer(id) {
      const customer = customersById.get(id);
      return customer && { customer };
    },
    measurements({ limit = 10, cursor = 0 }) {
      const start = Number(cursor);
      const end = start + Number(limit);
      const total = measurements.length;
      const hasMore = end < total;
      const page = measurements.slice(start, end);
      return { measurements: page, total, hasMore, ...(hasMore && { nextCursor: String(end) }) };
    },
    deleteEvents(token, refs) {
      const deletions = deletionsOf(token);
      const deletedAt = new Date().toISOString();
      const left = refs
        .flatMap((ref) => eventsByRef.get(ref) ?? [])
        .filter((event) => !deletions.has(event));
      for (const event of left) deletions.add(event);
      return { events: left.map((event) => ({ ...event, deletedAt })) };
    },
  };
}
