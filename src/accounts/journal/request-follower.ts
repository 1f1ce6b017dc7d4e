import { type Follower, type Journal, sizeOfRequest } from './journal.js';
import type { NotedRequest } from './journal-request.js';

/** What a follower wants, and is called for. */
interface Following extends Pick<Follower, 'journal' | 'wantsResponses' | 'end'> {
  /** There is something to take. */
  readonly noteNews: () => void;
}

/** What a follower may hold that it has not taken: each request is described for it alone. */
const MOST_REQUESTS = 250;
const MOST_BYTES = 2 ** 20;
const MOST_CLEARED = 1_000;

/** Holds what one follower has not taken yet, within bounds: a slow one costs no memory. */
export class RequestFollower implements Follower {
  readonly journal: Journal | 'all';
  readonly wantsResponses: boolean;
  readonly end: () => void;
  readonly #noteNews: () => void;
  #held = new Map<NotedRequest, { readonly journal: Journal; readonly bytes: number }>();
  #bytes = 0;
  #dropped = 0;
  readonly #cleared = new Set<string>();

  constructor({ journal, wantsResponses, noteNews, end }: Following) {
    this.journal = journal;
    this.wantsResponses = wantsResponses;
    this.end = end;
    this.#noteNews = noteNews;
  }

  note(journal: Journal, noted: NotedRequest): void {
    if (!this.#follows(journal)) return;
    const bytes = sizeOfRequest(noted);
    this.#bytes += bytes - (this.#held.get(noted)?.bytes ?? 0);
    this.#held.set(noted, { journal, bytes });
    this.#makeRoom();
    this.#noteNews();
  }

  noteCleared(journal: Journal): void {
    if (!this.#follows(journal)) return;
    for (const [noted, held] of this.#held) if (held.journal === journal) this.#release(noted);
    if (this.#cleared.size < MOST_CLEARED) this.#cleared.add(journal.accountId ?? 'server');
    else this.#dropped += 1;
    this.#noteNews();
  }

  /**
   * The requests that were received or have ended since it was called before, how many were left out,
   * and whose journals were cleared before them.
   */
  take(): object {
    const requests = Array.from(this.#held, ([noted, { journal }]) => ({
      ...(journal.accountId !== undefined && { account: journal.accountId }),
      ...journal.show(noted),
    }));
    const batch = { requests, dropped: this.#dropped, cleared: [...this.#cleared] };
    this.#held = new Map();
    this.#bytes = 0;
    this.#dropped = 0;
    this.#cleared.clear();
    return batch;
  }

  #follows(journal: Journal): boolean {
    return this.journal === 'all' || this.journal === journal;
  }

  /** Drops the oldest. One that is under way is not counted: it is shown when it has ended. */
  #makeRoom(): void {
    for (const noted of this.#held.keys()) {
      if (this.#held.size <= MOST_REQUESTS && this.#bytes <= MOST_BYTES) break;
      this.#release(noted);
      if (noted.outcome !== undefined) this.#dropped += 1;
    }
  }

  #release(noted: NotedRequest): void {
    this.#bytes -= this.#held.get(noted)?.bytes ?? 0;
    this.#held.delete(noted);
  }
}
