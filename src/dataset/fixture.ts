import type {
  Contract,
  Customer,
  Measurement,
  ResourceName,
  Resources,
  UsageEvent,
} from '../billing/resources.js';

/** What a fixture file says: records written by hand, how many more to generate, and for whom. */
export interface Fixture {
  /** Where editors find the schema; without meaning here. */
  readonly $schema?: string;
  /** The dataset whose records it adds to or replaces: a name, or a path from the file's folder. */
  readonly extends?: string;
  /** The seed of what is generated; the same seed gives the same bytes. 1 if left out. */
  readonly seed?: number;
  /** What certain bearer tokens get, in place of an account over this dataset. */
  readonly accounts?: Readonly<Record<string, AccountDeclaration>>;
  /** Answers to what the specification leaves open, by the ids of `docs/decisions.md`. */
  readonly decisions?: Readonly<Record<string, string | number>>;
  readonly customers?: readonly FixtureRecord<Customer>[];
  readonly contracts?: readonly FixtureRecord<Contract>[];
  readonly measurements?: readonly FixtureRecord<Measurement>[];
  readonly events?: readonly FixtureRecord<UsageEvent>[];
  readonly generate?: GenerateSection;
}

/** A record as a fixture has it; an id and stamps that are left out are filled in. */
type FixtureRecord<T extends Resources[ResourceName]> = Partial<T>;

/**
 * What a token gets: an account over another dataset, under another seed, or a refusal (401).
 *
 * @example
 * const accounts: Record<string, AccountDeclaration> = {
 *   'token-b': { dataset: 'empty' },
 *   'token-revoked': { refused: true },
 * };
 */
export interface AccountDeclaration {
  /** The name of a dataset or the path of a fixture; the server's own dataset if left out. */
  readonly dataset?: string;
  /** The seed of its generated records, in place of the fixture's. */
  readonly seed?: number;
  /** True to refuse the token, whatever else is said. */
  readonly refused?: boolean;
}

/** How a world is filled up beside the records written by hand. */
export interface GenerateSection {
  /** The first day that has usage, as `YYYY-MM-DD`. */
  readonly from?: string;
  /** The last day that has usage. */
  readonly to?: string;
  /** How many customers to add. */
  readonly customers?: number;
  /** How many contracts each added customer has. */
  readonly contractsPerCustomer?: number;
  /** How many events every customer with an alias has. */
  readonly eventsPerCustomer?: number;
  /** The meters that every customer has measurements of, day by day. */
  readonly meters?: readonly Meter[];
  /** The share of days without a measurement, from 0 to 1. */
  readonly gaps?: number;
}

/** A generate section with every default in its place. */
export type World = Required<GenerateSection>;

/** What a generate section means where it says nothing. */
export const DEFAULT_WORLD: World = {
  from: '2026-01-01',
  to: '2026-03-31',
  customers: 0,
  contractsPerCustomer: 0,
  eventsPerCustomer: 0,
  meters: [],
  gaps: 0.04,
};

/** The generate section that all layers make together; the last word on each member counts. */
export function worldOf(layers: readonly Fixture[]): World {
  return Object.assign({}, DEFAULT_WORLD, ...layers.map(({ generate }) => generate));
}

/** Something whose usage is measured. */
export interface Meter {
  readonly id: string;
  /** What a customer of middling size uses on a weekday. */
  readonly dailyUsage: number;
  /** How many decimals a value has; 0 if left out. */
  readonly decimals?: number;
}

/** What a bearer token looks like (RFC 6750, section 2.1). */
export const TOKEN_FORM = /^[A-Za-z0-9\-._~+/]+=*$/;
