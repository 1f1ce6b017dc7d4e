import type { Send } from '../server/call.js';

/** What the run needs to know of an account before it changes. */
export interface World {
  readonly contracts: readonly string[];
  readonly customers: readonly { readonly id: string; readonly name: string }[];
  readonly refs: readonly string[];
  readonly measurements: number;
  /** Whole records, as they were first read: customers by id, and the first measurements. */
  readonly wholeCustomers: ReadonlyMap<string, object>;
  readonly firstMeasurements: readonly object[];
}

/**
 * Reads the dataset through an account that is never changed, once. That includes its fingerprint,
 * which takes seconds for a large dataset.
 */
export async function readWorld(send: Send): Promise<World> {
  const headers = { Authorization: 'Bearer reader-of-the-dataset' };
  const read = async (path: string) => {
    const { status, failure, text } = await send({ method: 'GET', path, headers });
    if (failure !== undefined || status !== 200)
      throw new Error(`GET ${path} ended in ${failure ?? status}: ${text}`);
    return JSON.parse(text);
  };
  const [contracts, customers, events, page] = await Promise.all([
    read('/__control/contracts?limit=1000'),
    read('/__control/customers?limit=1000'),
    read('/__control/events?limit=1000'),
    read('/measurements?limit=300'),
    read('/__control/account'),
  ]);
  const wholeCustomers = new Map<string, object>();
  for (const { id } of customers.records) {
    wholeCustomers.set(id, (await read(`/customers/${encodeURIComponent(id)}`)).customer);
  }
  const isThere = ({ deletedAt }: { deletedAt?: string }) => deletedAt === undefined;
  return {
    contracts: contracts.records.filter(isThere).map(({ id }: { id: string }) => id),
    customers: customers.records.map(({ id, name }: World['customers'][number]) => ({ id, name })),
    refs: [
      ...new Set<string>(events.records.filter(isThere).map(({ ref }: { ref: string }) => ref)),
    ],
    measurements: page.total,
    wholeCustomers,
    firstMeasurements: page.measurements,
  };
}

/** A world with few records, which a walk reads to its end, and the state to load for it. */
export function smallWorld(
  nth: number,
  size: number,
): { readonly world: World; readonly state: object } {
  const ids = Array.from({ length: size }, (_, index) => `small-${nth}-${index}`);
  const customers = ids.slice(0, 3).map((id) => ({ id: `customer-${id}`, name: `Name of ${id}` }));
  const contracts = ids.slice(0, 5).map((id) => `contract-${id}`);
  const refs = ids.slice(0, 6).map((id) => `ref-${id}`);
  const state = {
    customers,
    contracts: contracts.map((id) => ({ id })),
    measurements: ids.map((id, index) => ({
      id: `measurement-${id}`,
      usageDate: { year: 2026, month: 1, day: 1 + (index % 28) },
      value: index,
    })),
    events: refs.map((ref) => ({ id: `event-${ref}`, ref })),
  };
  const unread = { wholeCustomers: new Map(), firstMeasurements: [] };
  return { world: { contracts, customers, refs, measurements: size, ...unread }, state };
}
