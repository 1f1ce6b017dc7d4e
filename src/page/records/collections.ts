/** A record of any collection. */
export type AnyRecord = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A collection, and how its records are shown. */
export interface Collection {
  readonly path: string;
  readonly title: string;
  /** Its schema in the document of the service. */
  readonly schema: string;
  /** The members that its table has; with `deletedAt` its records are deleted by tombstones. */
  readonly columns: readonly string[];
}

/** The collections of an account. */
export const COLLECTIONS = [
  {
    path: 'customers',
    title: 'Customers',
    schema: 'Customer',
    columns: ['id', 'name', 'externalId', 'source', 'updatedAt'],
  },
  {
    path: 'contracts',
    title: 'Contracts',
    schema: 'Contract',
    columns: ['id', 'name', 'customerId', 'startDate', 'endDate', 'deletedAt'],
  },
  {
    path: 'measurements',
    title: 'Measurements',
    schema: 'Measurement',
    columns: ['id', 'customerId', 'meterId', 'usageDate', 'value'],
  },
  {
    path: 'events',
    title: 'Events',
    schema: 'UsageEvent',
    columns: ['id', 'name', 'timestamp', 'customerAlias', 'ref', 'deletedAt'],
  },
] as const satisfies readonly Collection[];

/** A member of a record as a cell shows it; a calendar date in the order that sorts. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return String(value);
  if (!('year' in value && 'month' in value && 'day' in value)) return JSON.stringify(value);
  const padded = [value.month, value.day].map((part) => String(part).padStart(2, '0'));
  return [value.year, ...padded].join('-');
}
