/** Evidence of closed accounts makes room before any other. */
export type Rank = 'closed' | 'other';

/** What keeps pieces of evidence: a journal its requests, or the closed accounts. */
interface Keeper<Evidence extends object> {
  rankOf(evidence: Evidence): Rank;
  /** Drops a piece of its evidence to make room. */
  evict(evidence: Evidence): void;
}

interface KeptPiece {
  readonly keeper: Keeper<object>;
  readonly places: number;
}

/** The keeper and the places of each piece of evidence, oldest first. */
class Pieces extends Map<object, KeptPiece> {
  places = 0;

  change(evidence: object, kept?: KeptPiece): void {
    this.places += (kept?.places ?? 0) - (this.get(evidence)?.places ?? 0);
    if (kept) this.set(evidence, kept);
    else this.delete(evidence);
  }
}

/**
 * Limits what all journals of one server keep together. Drops the oldest piece of the lowest rank
 * first.
 */
export class KeptEvidence {
  readonly #mostPlaces: number;
  readonly #ranks = { closed: new Pieces(), other: new Pieces() };

  constructor(mostPlaces: number) {
    this.#mostPlaces = mostPlaces;
  }

  /** Counts a piece of evidence as kept, or again after it has grown. */
  keep<Evidence extends object>(
    evidence: Evidence,
    keeper: Keeper<Evidence>,
    places: number,
  ): void {
    const ranks = Object.values(this.#ranks);
    const kept = ranks.find((one) => one.has(evidence)) ?? this.#ranks[keeper.rankOf(evidence)];
    kept.change(evidence, { keeper, places });
    const taken = () => ranks.reduce((sum, { places: ofRank }) => sum + ofRank, 0);
    while (taken() > this.#mostPlaces) this.#evictOldest();
  }

  #evictOldest(): void {
    const { closed, other } = this.#ranks;
    const [oldest] = [closed, other].find(({ size }) => size > 0) ?? [];
    if (oldest) oldest[1].keeper.evict(oldest[0]);
  }

  release(evidence: object): void {
    for (const rank of Object.values(this.#ranks)) rank.change(evidence);
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
