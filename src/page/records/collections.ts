export type AnyRecord = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A link to related records: its label, their collection, and an id or a text to search for. */
type Relation = readonly [words: string, path: string, id: string, text?: string];

export interface Collection {
  readonly path: 'customers' | 'contracts' | 'measurements' | 'events';
  readonly title: string;
  /** The name of its schema in the service's document. */
  readonly schema: string;
  /** The members to show, the name first. */
  readonly columns: readonly string[];
  readonly relationsOf: (record: AnyRecord) => readonly Relation[];
}

const ofCustomer = ({ customerId }: AnyRecord): Relation[] =>
  customerId ? [['Customer', 'customers', String(customerId)]] : [];

const usageOf = ({ customerId }: AnyRecord): Relation[] =>
  customerId ? [['Usage', 'measurements', '', String(customerId)]] : [];

export const COLLECTIONS: readonly [Collection, ...Collection[]] = [
  {
    path: 'customers',
    title: 'Customers',
    schema: 'Customer',
    columns: ['name', 'id', 'externalId', 'source', 'updatedAt'],
    relationsOf: ({ id, aliases }) => [
      ['Contracts', 'contracts', '', id],
      ['Usage', 'measurements', '', id],
      ...(Array.isArray(aliases) ? aliases : []).map(
        (alias): Relation => [`Events of ${alias}`, 'events', '', String(alias)],
      ),
    ],
  },
  {
    path: 'contracts',
    title: 'Contracts',
    schema: 'Contract',
    columns: ['name', 'id', 'customerId', 'startDate', 'endDate'],
    relationsOf: (contract) => [...ofCustomer(contract), ...usageOf(contract)],
  },
  {
    path: 'measurements',
    title: 'Measurements',
    schema: 'Measurement',
    columns: ['customerId', 'id', 'meterId', 'usageDate', 'value'],
    relationsOf: ofCustomer,
  },
  {
    path: 'events',
    title: 'Events',
    schema: 'UsageEvent',
    columns: ['name', 'id', 'timestamp', 'customerAlias', 'ref'],
    relationsOf: ({ customerAlias }) =>
      customerAlias ? [['Customer', 'customers', '', String(customerAlias)]] : [],
  },
];

/** Whether deleted records of the collection stay as tombstones. */
export function hasTombstones({ path }: Collection): boolean {
  return path === 'contracts' || path === 'events';
}

/** A member of a record as text, which sorts by date if it is a calendar date. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return String(value);
  if (!('year' in value && 'month' in value && 'day' in value)) return JSON.stringify(value);
  const padded = [value.month, value.day].map((part) => String(part).padStart(2, '0'));
  return [String(value.year).padStart(4, '0'), ...padded].join('-');
}
