import type { Follower, Journal } from './journal.js';
import { type NotedRequest, placesOfRequest } from './noted-request.js';

interface Following extends Pick<Required<Follower>, 'journal' | 'wantsResponses' | 'end'> {
  /** Called when there is something to take. */
  readonly noteNews: () => void;
}

/** What a follower takes at a time. */
export interface Batch {
  /** The requests that are new or have changed, as JSON. */
  readonly requests: readonly string[];
  /** How many requests, or notices of cleared journals, were dropped: read the journals again. */
  readonly dropped: number;
  /** The ids of accounts whose journals were cleared before these requests, or `server`. */
  readonly cleared: readonly string[];
}

/** The most that is held for one follower; a long request takes several places. */
const MAX_PLACES = 250;
const MAX_CLEARED = 1_000;
/** A follower takes no further request once it has this many characters. */
const ENOUGH_TAKEN = 2 ** 18;

/** Holds what one follower has not taken yet; drops and counts the oldest if it takes too little. */
export class RequestFollower implements Follower {
  readonly journal: Journal | 'all';
  readonly wantsResponses: boolean;
  readonly end: () => void;
  readonly #noteNews: () => void;
  readonly #held = new Map<NotedRequest, { readonly journal: Journal; readonly places: number }>();
  #places = 0;
  #dropped = 0;
  readonly #cleared = new Set<string>();

  constructor({ journal, wantsResponses, end, noteNews }: Following) {
    this.journal = journal;
    this.wantsResponses = wantsResponses;
    this.end = end;
    this.#noteNews = noteNews;
  }

  note(journal: Journal, noted: NotedRequest): void {
    if (!this.#follows(journal)) return;
    this.#release(noted);
    const { response: _notShown, ...shown } = noted;
    const places = placesOfRequest(shown);
    this.#held.set(noted, { journal, places });
    this.#places += places;
    for (const oldest of this.#held.keys()) {
      if (this.#places <= MAX_PLACES) break;
      this.#release(oldest);
      // A request under way is not counted, because it is shown when it ends.
      if (oldest.outcome !== undefined) this.#dropped += 1;
    }
    this.#noteNews();
  }

  noteCleared(journal: Journal): void {
    if (!this.#follows(journal)) return;
    for (const [noted, held] of this.#held) if (held.journal === journal) this.#release(noted);
    if (this.#cleared.size < MAX_CLEARED) this.#cleared.add(journal.accountId ?? 'server');
    else this.#dropped += 1;
    this.#noteNews();
  }

  /** Removes and returns the oldest of the requests that wait. */
  take(): Batch {
    const requests: string[] = [];
    let length = 0;
    for (const [noted, { journal }] of this.#held) {
      if (length >= ENOUGH_TAKEN) break;
      const text = encoded(noted, journal);
      length += text.length;
      requests.push(text);
      this.#release(noted);
    }
    const batch = { requests, dropped: this.#dropped, cleared: [...this.#cleared] };
    this.#dropped = 0;
    this.#cleared.clear();
    if (this.#held.size > 0) this.#noteNews();
    return batch;
  }

  #follows(journal: Journal): boolean {
    return this.journal === 'all' || this.journal === journal;
  }

  #release(noted: NotedRequest): void {
    this.#places -= this.#held.get(noted)?.places ?? 0;
    this.#held.delete(noted);
  }
}

/** Encodes the request without its response, which may be long. */
function encoded({ response: _long, ...noted }: NotedRequest, journal: Journal): string {
  const account = journal.accountId !== undefined && { account: journal.accountId };
  return JSON.stringify({ ...account, ...journal.describeReceived(noted) });
}
