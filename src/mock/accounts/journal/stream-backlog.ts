import type { EncodedRequest } from './encoded-request.js';
import type { Follower, Journal } from './journal.js';
import type { NotedRequest } from './noted-request.js';

interface Following extends Pick<Required<Follower>, 'journal' | 'wantsResponses' | 'end'> {
  readonly backlogs: Backlogs;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  /** Called when there is something to take. */
  readonly noteNews: () => void;
}

/** What a follower takes at a time. */
export interface Batch {
  /** The requests that are new or have changed, as JSON. */
  readonly requests: readonly Uint8Array[];
  /** How many requests, or notices of cleared journals, were dropped. */
  readonly dropped: number;
  /** The ids of accounts whose journals were cleared before these requests, or `server`. */
  readonly cleared: readonly string[];
  /** Why the stream ends here, if it does. */
  readonly closed?: string;
}

/** The most that is held for one follower. */
const MOST_REQUESTS = 250;
const MOST_BYTES = 2 ** 20;
const MOST_CLEARED = 1_000;
/** The most bytes that a follower takes at a time, unless a single request is larger. */
const MOST_TAKEN = MOST_BYTES / 4;
/** The most that all followers of a server may hold, including what was taken but not read. */
const MOST_BYTES_TOGETHER = 64 * MOST_BYTES;

/** A client that has read nothing for this long counts as stuck. */
const PATIENCE_MS = 2_000;

const NOT_READ =
  'This stream was not read, so the mock closed it. Look for dropped requests in the journals, and open the stream again to follow the next ones.';

/** The bytes that the followers of one server hold together. */
export class Backlogs {
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes > MOST_BYTES_TOGETHER;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }
}

/**
 * Holds what one follower has not taken yet, within bounds. Beyond them it drops and counts the
 * oldest requests, or closes the follower if it does not read what it has taken.
 */
export class RequestFollower implements Follower {
  readonly journal: Journal | 'all';
  readonly end: () => void;
  readonly #following: Following;
  #held = new Map<NotedRequest, { readonly journal: Journal; readonly request: EncodedRequest }>();
  #bytes = 0;
  /** What it has taken but not read, and when it took it. */
  #taken: { readonly bytes: number; readonly atMs: number } | undefined;
  #dropped = 0;
  #isClosed = false;
  readonly #cleared = new Set<string>();

  constructor(following: Following) {
    this.journal = following.journal;
    this.end = following.end;
    this.#following = following;
  }

  get wantsResponses(): boolean {
    return this.#following.wantsResponses && !this.#isClosed;
  }

  note(journal: Journal, request: EncodedRequest): void {
    if (!this.#follows(journal)) return;
    this.#release(request.noted);
    this.#held.set(request.noted, { journal, request });
    this.#add(request.bytes);
    this.#makeRoom();
    this.#following.noteNews();
  }

  noteCleared(journal: Journal): void {
    if (!this.#follows(journal)) return;
    for (const [noted, held] of this.#held) if (held.journal === journal) this.#release(noted);
    if (this.#cleared.size < MOST_CLEARED) this.#cleared.add(journal.accountId ?? 'server');
    else this.#dropped += 1;
    this.#following.noteNews();
  }

  /** Takes the oldest of what is held. Call `noteRead` once it has been read. */
  take(): Batch {
    const requests: Uint8Array[] = [];
    let bytes = 0;
    for (const [noted, { request }] of this.#held) {
      const { length } = request.encoded;
      if (requests.length > 0 && bytes + length > MOST_TAKEN) break;
      bytes += length;
      requests.push(request.encoded);
      this.#release(noted);
    }
    this.#taken = { bytes, atMs: this.#following.elapsedMs() };
    this.#following.backlogs.add(bytes);
    const closed = this.#isClosed && { closed: NOT_READ };
    const batch = { requests, dropped: this.#dropped, cleared: [...this.#cleared], ...closed };
    this.#dropped = 0;
    this.#cleared.clear();
    if (this.#held.size > 0) this.#following.noteNews();
    return batch;
  }

  /** Stops counting what was taken last: it was read, or its reader has gone. */
  noteRead(): void {
    this.#following.backlogs.add(-(this.#taken?.bytes ?? 0));
    this.#taken = undefined;
  }

  /** Drops everything it holds, and ends. */
  leave(): void {
    this.noteRead();
    for (const noted of this.#held.keys()) this.#release(noted);
    this.end();
  }

  #follows(journal: Journal): boolean {
    return this.journal === 'all' || this.journal === journal;
  }

  #makeRoom(): void {
    if (!this.#isFull) return;
    const { atMs = Number.POSITIVE_INFINITY } = this.#taken ?? {};
    this.#isClosed ||= this.#following.elapsedMs() - atMs > PATIENCE_MS;
    for (const noted of this.#held.keys()) {
      if (!this.#isFull) break;
      this.#release(noted);
      // A request under way is not counted, because it is shown when it ends.
      if (noted.outcome !== undefined) this.#dropped += 1;
    }
  }

  get #isFull(): boolean {
    const { size } = this.#held;
    if (this.#isClosed) return size > 0;
    const { backlogs } = this.#following;
    return size > MOST_REQUESTS || this.#bytes > MOST_BYTES || backlogs.isFull;
  }

  #release(noted: NotedRequest): void {
    this.#add(-(this.#held.get(noted)?.request.bytes ?? 0));
    this.#held.delete(noted);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#following.backlogs.add(bytes);
  }
}
