// The measured operations over plain records, as cheap as they can be; the limits serve them.

/** @import { Customer, Records, UsageEvent } from '../types.js' */

/** An account is only its deletions; beyond this many accounts, the oldest is forgotten. */
const MAX_ACCOUNTS = 1_000;

/** @param {Records} records */
export function createService({ customers, measurements, events }) {
  const customersById = new Map(customers.map((customer) => [customer.id, customer]));
  const customersByName = new Map(customers.map((customer) => [customer.name, customer]));
  const eventsByRef = groupByRef(events);
  /** @type {Map<string | undefined, Set<UsageEvent>>} */
  const accounts = new Map();

  /** @param {string | undefined} token */
  function deletionsOf(token) {
    const known = accounts.get(token);
    if (known) return known;
    if (accounts.size >= MAX_ACCOUNTS) accounts.delete(accounts.keys().next().value);
    /** @type {Set<UsageEvent>} */
    const deletions = new Set();
    accounts.set(token, deletions);
    return deletions;
  }

  return {
    customer: (/** @type {string} */ id) => found(customersById.get(id)),
    customerByName: (/** @type {string} */ name) => found(customersByName.get(name)),
    /** @param {{ limit?: unknown, cursor?: unknown }} query */
    measurements({ limit = 10, cursor = 0 }) {
      const start = Number(cursor);
      const end = start + Number(limit);
      const hasMore = end < measurements.length;
      return {
        measurements: measurements.slice(start, end),
        total: measurements.length,
        hasMore,
        ...(hasMore && { nextCursor: String(end) }),
      };
    },
    /**
     * @param {string | undefined} token
     * @param {string[]} refs
     */
    deleteEvents(token, refs) {
      const deletions = deletionsOf(token);
      const deletedAt = new Date().toISOString();
      const deleted = [];
      for (const event of refs.flatMap((ref) => eventsByRef.get(ref) ?? [])) {
        if (deletions.has(event)) continue;
        deletions.add(event);
        deleted.push({ ...event, deletedAt });
      }
      return { events: deleted };
    },
  };
}

/** @param {Customer | undefined} customer */
function found(customer) {
  return customer && { customer };
}

/** @param {UsageEvent[]} events */
function groupByRef(events) {
  /** @type {Map<string, UsageEvent[]>} */
  const groups = new Map();
  for (const event of events) groups.set(event.ref, [...(groups.get(event.ref) ?? []), event]);
  return groups;
}
