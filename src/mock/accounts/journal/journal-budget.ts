import { bytesOf } from '../../../core/store/bytes-of.js';

/** What keeps pieces of evidence: a journal its requests, or the outcomes of tests. */
interface Keeper<Evidence extends object> {
  /** Whether a piece of its evidence is about a failed test. */
  isOfFailure(evidence: Evidence): boolean;
  /** Drops a piece of its evidence to make room. */
  evict(evidence: Evidence): void;
}

interface KeptPiece {
  readonly keeper: Keeper<object>;
  readonly bytes: number;
}

/** The keeper and the size of each piece of evidence, oldest first. */
class KeptEvidence extends Map<object, KeptPiece> {
  bytes = 0;

  change(evidence: object, kept?: KeptPiece): void {
    this.bytes += (kept?.bytes ?? 0) - (this.get(evidence)?.bytes ?? 0);
    if (kept) this.set(evidence, kept);
    else this.delete(evidence);
  }
}

/**
 * Limits what all journals and outcomes of one server hold together. Drops the oldest request or
 * outcome first; those of failed tests only if there are no others, or if they take more than half.
 */
export class JournalBudget {
  readonly #mostBytes: number;
  /** Called once, when the budget is used up for the first time. */
  #tellFull: (() => void) | undefined;
  readonly #failed = new KeptEvidence();
  readonly #others = new KeptEvidence();

  constructor(mostBytes: number, tellFull: () => void) {
    this.#mostBytes = mostBytes;
    this.#tellFull = tellFull;
  }

  /** Counts a piece of evidence as kept, or again after it has grown. */
  keep<Evidence extends object>(evidence: Evidence, keeper: Keeper<Evidence>): void {
    const isFailed =
      this.#failed.has(evidence) || (!this.#others.has(evidence) && keeper.isOfFailure(evidence));
    const kept = isFailed ? this.#failed : this.#others;
    kept.change(evidence, { keeper, bytes: PLACE + bytesOf(evidence) });
    while (this.#failed.bytes + this.#others.bytes > this.#mostBytes) this.#evictOldest();
  }

  #evictOldest(): void {
    const isFailedFirst = this.#others.size === 0 || this.#failed.bytes > this.#mostBytes / 2;
    const [oldest] = isFailedFirst ? this.#failed : this.#others;
    if (oldest) oldest[1].keeper.evict(oldest[0]);
    this.#tellFull?.();
    this.#tellFull = undefined;
  }

  release(evidence: object): void {
    this.#failed.change(evidence);
    this.#others.change(evidence);
  }
}

/** About how many bytes a piece of evidence takes in the maps that list it. */
const PLACE = 100;
