/** What decides when an account makes room for others. */
export type Standing = 'closed' | 'open' | 'failed';

/** What keeps evidence: the journal of an account, or that of the server. */
export interface Keeper {
  readonly standing: Standing;
  /** Drops its oldest piece of evidence. */
  evictOldest(): void;
}

/** The places that keepers of one standing take, in the order in which they got it. */
class Keepers extends Map<Keeper, number> {
  places = 0;

  change(keeper: Keeper, places: number): void {
    const kept = (this.get(keeper) ?? 0) + places;
    this.places += places;
    if (kept > 0) this.set(keeper, kept);
    else this.delete(keeper);
  }

  get first(): Keeper | undefined {
    const [first] = this.keys();
    return first;
  }

  get largest(): Keeper | undefined {
    let [largest, most]: [Keeper | undefined, number] = [undefined, 0];
    for (const [keeper, places] of this) if (places > most) [largest, most] = [keeper, places];
    return largest;
  }
}

/**
 * Limits what all journals of one server keep together. The account that was closed first makes
 * room, then the open one that keeps most, and last the one whose test failed first; but what failed
 * tests keep beyond half of the places goes before all.
 */
export class KeptEvidence {
  readonly #mostPlaces: number;
  readonly #keepers = { closed: new Keepers(), open: new Keepers(), failed: new Keepers() };

  constructor(mostPlaces: number) {
    this.#mostPlaces = mostPlaces;
  }

  /** Counts what a keeper keeps more, or less if `places` is negative; makes room for more. */
  change(keeper: Keeper, places: number): void {
    this.#keepersWith(keeper).change(keeper, places);
    if (places <= 0) return;
    const all = Object.values(this.#keepers);
    while (all.reduce((sum, one) => sum + one.places, 0) > this.#mostPlaces) this.#makeRoom();
  }

  /** Notes that a keeper has another standing now. */
  rank(keeper: Keeper): void {
    const before = this.#keepersWith(keeper);
    const places = before.get(keeper) ?? 0;
    before.change(keeper, -places);
    this.#keepers[keeper.standing].change(keeper, places);
  }

  #keepersWith(keeper: Keeper): Keepers {
    const known = Object.values(this.#keepers).find((keepers) => keepers.has(keeper));
    return known ?? this.#keepers[keeper.standing];
  }

  #makeRoom(): void {
    const { closed, open, failed } = this.#keepers;
    const isFull = failed.places > this.#mostPlaces / 2;
    const keeper = isFull ? failed.first : (closed.first ?? open.largest ?? failed.first);
    keeper?.evictOldest();
  }
}

/** The bytes of text in one place; longer evidence takes several. */
const A_PLACE = 2_048;

/** A string takes two bytes a character as soon as one of them is beyond Latin-1. */
const WIDE = /[^\0-\xff]/;

/** The places that evidence with these texts takes: one, and one more for each further 2 kB. */
export function placesOf(texts: readonly unknown[]): number {
  let bytes = 0;
  for (const text of texts)
    if (typeof text === 'string') bytes += text.length * (WIDE.test(text) ? 2 : 1);
  return 1 + Math.floor(bytes / A_PLACE);
}
