import type { Customer, UsageEvent } from '../../billing/resources.js';
import { hexHash } from '../../store/hash.js';
import type { Rows } from '../../store/shared-records.js';
import type { GenerateConfig } from '../fixture/fixture.js';
import { DAY_MS, timestamp } from './days.js';
import { fraction } from './random-per-record.js';

const NAMES = ['api-call', 'file-upload', 'report-export', 'seat-activated'] as const;
const REGIONS = ['us-east', 'us-west', 'eu-west', 'ap-south'] as const;
const MAX_UNITS = 500;
const STORED_AFTER_MS = { least: 200, most: 5_000 } as const;

/** A customer with events: the first 18 of the 24 hex digits of their ids, and its aliases. */
interface Source {
  readonly prefix: string;
  readonly aliases: readonly string[];
}

/**
 * Generates the events of every customer with an alias; a ref is the customer's first alias and a
 * number. Stores only the customers: each event is computed from its number. Ids ascend from row to row.
 */
export function generateEvents(
  { eventsPerCustomer: count, from, to }: GenerateConfig,
  customers: readonly Customer[],
  seed: number,
): Rows<UsageEvent> {
  const sources = customers
    .map(({ id, aliases }) => ({ prefix: hexHash(18, seed, 'events', id), aliases: aliases ?? [] }))
    .filter(({ aliases }) => aliases.length > 0)
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
  const indexOf = new Map(sources.map(({ prefix }, index) => [prefix, index]));
  const view = new EventView(
    seed,
    Date.parse(from),
    Date.parse(to) + DAY_MS - 1 - STORED_AFTER_MS.most,
  );
  const peekAt = (row: number) => view.at(sources[Math.floor(row / count)] as Source, row % count);

  return {
    size: sources.length * count,
    peekAt,
    recordAt: (row) => peekAt(row).toRecord(),
    rowOf(id) {
      const index = indexOf.get(id.slice(0, 18));
      const nth = Number.parseInt(id.slice(18), 16);
      // Any id may be asked for, so the number may be negative, or NaN.
      if (index === undefined || !(nth >= 0 && nth < count)) return undefined;
      const row = index * count + nth;
      return peekAt(row).id === id ? row : undefined;
    },
  };
}

/** One event of one customer, each field computed when it is read. */
class EventView implements UsageEvent {
  readonly #seed: number;
  readonly #firstMs: number;
  readonly #lastMs: number;
  #source: Source = { prefix: '', aliases: [] };
  #nth = 0;

  constructor(seed: number, firstMs: number, lastMs: number) {
    this.#seed = seed;
    this.#firstMs = firstMs;
    this.#lastMs = lastMs;
  }

  /** Moves to another event. */
  at(source: Source, nth: number): this {
    this.#source = source;
    this.#nth = nth;
    return this;
  }

  get id(): string {
    return this.#source.prefix + this.#nth.toString(16).padStart(6, '0');
  }

  get name(): string {
    return this.#pick('name', NAMES);
  }

  get timestamp(): string {
    return timestamp(this.#happenedMs);
  }

  get customerAlias(): string {
    return this.#pick('alias', this.#source.aliases);
  }

  get ref(): string {
    return `${this.#source.aliases[0]}-${String(this.#nth + 1).padStart(4, '0')}`;
  }

  get data(): Record<string, string> {
    return {
      region: this.#pick('region', REGIONS),
      units: String(this.#number('units', 1, MAX_UNITS)),
    };
  }

  get createdAt(): string {
    const { least, most } = STORED_AFTER_MS;
    return timestamp(this.#happenedMs + this.#number('stored', least, most));
  }

  get updatedAt(): string {
    return this.createdAt;
  }

  toRecord(): UsageEvent {
    const { id, name, timestamp, customerAlias, ref, data, createdAt } = this;
    return Object.freeze({
      id,
      name,
      timestamp,
      customerAlias,
      ref,
      data: Object.freeze(data),
      createdAt,
      updatedAt: createdAt,
    });
  }

  get #happenedMs(): number {
    return this.#number('timestamp', this.#firstMs, this.#lastMs);
  }

  #pick<T>(field: string, choices: readonly T[]): T {
    return choices[this.#number(field, 0, choices.length - 1)] as T;
  }

  /** A whole number from `least` to `most`, both included. */
  #number(field: string, least: number, most: number): number {
    const { prefix } = this.#source;
    return least + Math.floor(fraction(this.#seed, field, prefix, this.#nth) * (most - least + 1));
  }
}
