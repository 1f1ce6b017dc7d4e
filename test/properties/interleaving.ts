import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import type { AccountControl, Measurement } from '../../src/index.js';
import { anyCharacter } from '../support/characters.js';
import type { StartedServer } from './kept-connections.js';
import { ListingModel, type OrderName, Walk } from './listing-model.js';

/** One step of an interleaving, and the account that takes it. Records are indexes of the list. */
type Step = { readonly account: number } & (
  | { readonly act: 'go on'; readonly walk: number; readonly limit: number }
  | {
      readonly act: 'go on elsewhere';
      readonly walk: number;
      readonly limit: number;
      readonly other: number;
    }
  | { readonly act: 'put'; readonly measurement: Measurement }
  | { readonly act: 'replace'; readonly record: number; readonly value: number }
  | { readonly act: 'remove'; readonly record: number }
  | { readonly act: 'remove the last of'; readonly walk: number }
  | { readonly act: 'remove all' }
  | { readonly act: 'reset' }
);

/** Steps of up to three accounts, each with up to two walks at a time. */
export function interleavings(opening: readonly Measurement[]): fc.Arbitrary<Step[]> {
  const account = fc.constantFrom(0, 0, 0, 1, 1, 2);
  const walk = fc.constantFrom(0, 0, 1);
  const limit = fc.integer({ min: 1, max: 7 });
  const record = fc.nat({ max: 99 });
  const measurement = measurementsLike(opening);
  const step = <Act extends string, Fields>(
    weight: number,
    act: Act,
    fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
  ) => ({ weight, arbitrary: fc.record({ act: fc.constant(act), account, ...fields }) });
  return fc.array(
    fc.oneof(
      step(40, 'go on', { walk, limit }),
      step(5, 'go on elsewhere', { walk, limit, other: account }),
      step(24, 'put', { measurement }),
      step(8, 'replace', { record, value: fc.nat() }),
      step(16, 'remove', { record }),
      step(8, 'remove the last of', { walk }),
      step(1, 'remove all', {}),
      step(6, 'reset', {}),
    ),
    { maxLength: 24, size: 'max' },
  ) as fc.Arbitrary<Step[]>;
}

/** New and known measurements whose ids and places are close to those of the opening ones. */
function measurementsLike(opening: readonly Measurement[]): fc.Arbitrary<Measurement> {
  const letter = fc.constantFrom('\0', '!', 'B', 'a', '\ud800', '\udc00', '\uffff', '\u{10000}');
  const openingId = fc.constantFrom(...opening.map(({ id }) => id));
  const id = fc.oneof(
    openingId,
    fc.tuple(openingId, letter).map((parts) => parts.join('')),
    fc.string({ unit: letter, minLength: 1, maxLength: 2 }),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 3 }),
    fc.constantFrom('__proto__', 'constructor'),
  );
  const usageDate = fc.constantFrom(
    { year: 2025, month: 12, day: 31 },
    { year: 2026 },
    { year: 2026, month: 1, day: 1 },
    { year: 2026, month: 1, day: 2 },
    { year: 2026, month: 1, day: 3 },
  );
  const timestamp = fc.constantFrom(
    '1970-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
    '2026-01-02T00:00:00Z',
    '2026-01-02T02:00:00.000+02:00',
    '2026-01-04T00:02:09.000Z',
  );
  return fc.record(
    { id, usageDate, value: fc.nat(), createdAt: timestamp, updatedAt: timestamp },
    { requiredKeys: ['id', 'createdAt', 'updatedAt'], noNullPrototype: true },
  );
}

/** The listing under test. */
export interface Listing {
  readonly server: StartedServer;
  readonly order: OrderName;
  /** What `total` counts. */
  readonly counts: 'all' | 'remaining';
  /** The records that every account opens with. */
  readonly opening: readonly Measurement[];
}

let played = 0;

/** Takes the steps in new accounts, then brings every walk to its end. */
export async function play(listing: Listing, steps: readonly Step[]): Promise<void> {
  played += 1;
  const players = [0, 1, 2].map((number) => new Player(listing, `player-${played}-${number}`));
  try {
    for (const step of steps) {
      const [player, other] = [step.account, 'other' in step ? step.other : 0].map(
        (number) => players[number],
      ) as [Player, Player];
      await take(step, player, other);
    }
    for (const player of players) await player.finish();
  } finally {
    for (const player of players) player.leave();
  }
}

async function take(step: Step, player: Player, other: Player): Promise<void> {
  switch (step.act) {
    case 'go on':
      return player.goOn(player.openWalk(step.walk) ?? player.begin(step.walk), step.limit);
    case 'go on elsewhere': {
      const walk = player.openWalk(step.walk);
      if (walk) await other.look(walk, step.limit);
      return;
    }
    case 'put':
      return player.put(step.measurement);
    case 'replace': {
      const record = player.record(step.record);
      return record && player.put({ ...record, value: step.value });
    }
    case 'remove':
      return player.remove(player.record(step.record));
    case 'remove the last of':
      return player.remove(player.openWalk(step.walk)?.last);
    case 'remove all':
      return player.removeAll();
    case 'reset':
      return player.reset();
  }
}

/** An account and its model, side by side. */
class Player {
  readonly #listing: Listing;
  readonly #token: string;
  readonly #account: AccountControl;
  readonly #model: ListingModel;
  readonly #begun: Walk[] = [];
  /** The latest walk with each number. */
  readonly #walks = new Map<number, Walk>();

  constructor(listing: Listing, token: string) {
    this.#listing = listing;
    this.#token = token;
    this.#account = listing.server.account(token);
    this.#model = new ListingModel(listing.order, listing.opening);
  }

  /** The walk with this number, unless it is over. */
  openWalk(number: number): Walk | undefined {
    const walk = this.#walks.get(number);
    return walk?.isOver ? undefined : walk;
  }

  begin(number: number): Walk {
    const walk = new Walk(this.#model);
    this.#walks.set(number, walk);
    this.#begun.push(walk);
    return walk;
  }

  /** A record by its index, modulo the length of the list. */
  record(number: number): Measurement | undefined {
    const all = this.#model.after(undefined);
    return all[number % all.length];
  }

  /** Gets the next page of a walk of this account. */
  async goOn(walk: Walk, limit: number): Promise<void> {
    const { measurements, nextCursor } = await this.look(walk, limit);
    walk.take(measurements, nextCursor);
  }

  /** Gets the page of this account that follows the last page of a walk, possibly another's. */
  async look({ cursor, last }: Walk, limit: number) {
    const { server, counts } = this.#listing;
    const query = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { status, text } = await server.call(
      this.#token,
      'GET',
      `/measurements?limit=${limit}${query}`,
    );
    const { measurements, ...page } = JSON.parse(text);
    const following = this.#model.after(last);
    const hasMore = following.length > limit;
    // Compared as text, which for thousands of pages is much faster than objects or jest's expect.
    const { nextCursor, ...rest } = page;
    deepStrictEqual(
      { status, ...rest, measurements: JSON.stringify(measurements), cursor: typeof nextCursor },
      {
        status: 200,
        total: { all: this.#model.size, remaining: following.length }[counts],
        hasMore,
        measurements: JSON.stringify(following.slice(0, limit)),
        cursor: hasMore ? 'string' : 'undefined',
      },
    );
    return { measurements, nextCursor };
  }

  put(measurement: Measurement): void {
    this.#account.measurements.put(measurement);
    this.#model.put(measurement);
    this.#noteChange();
  }

  /** Removes the record, if there is one and it still exists. */
  remove(record: Measurement | undefined): void {
    if (record === undefined) return;
    const { id } = record;
    deepStrictEqual(this.#account.measurements.remove(id), this.#model.remove(id));
    this.#noteChange();
  }

  removeAll(): void {
    for (const record of this.#model.after(undefined)) this.remove(record);
  }

  reset(): void {
    this.#account.reset();
    this.#model.reset();
    this.#noteChange();
  }

  /** Brings every walk to its end, and expects it to have lost nothing. */
  async finish(): Promise<void> {
    for (const walk of this.#begun) {
      // With a full last page, an end is easiest to miss.
      while (!walk.isOver) await this.goOn(walk, this.#model.after(walk.last).length || 1);
      walk.expectNothingLost();
    }
    const listed = this.#account.measurements.list().sort(this.#model.compare);
    expect(JSON.stringify(listed)).toBe(JSON.stringify(this.#model.after(undefined)));
  }

  /** Closes the account, to make room for others. */
  leave(): void {
    this.#listing.server.closeAccount(this.#token);
  }

  #noteChange(): void {
    for (const walk of this.#begun) walk.noteChange();
  }
}
