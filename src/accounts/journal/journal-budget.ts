import type { Journal } from './journal.js';
import type { NotedRequest } from './journal-request.js';

/** What all journals of one server may hold together; beyond it the oldest request is let go. */
export class JournalBudget {
  readonly #mostBytes: number;
  /** Called once, when there is no more room for the first time. */
  #tellFull: (() => void) | undefined;
  /** Whose each request is and what it takes; in the order in which they came. */
  readonly #kept = new Map<NotedRequest, { readonly journal: Journal; readonly bytes: number }>();
  #bytes = 0;

  constructor(mostBytes: number, tellFull: () => void) {
    this.#mostBytes = mostBytes;
    this.#tellFull = tellFull;
  }

  /** Counts a request as kept by a journal, or counts it again when it has grown. */
  keep(request: NotedRequest, journal: Journal, bytes: number): void {
    this.#bytes += bytes - (this.#kept.get(request)?.bytes ?? 0);
    this.#kept.set(request, { journal, bytes });
    for (const [oldest, { journal: owner }] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break;
      owner.evict(oldest);
      this.#tellFull?.();
      this.#tellFull = undefined;
    }
  }

  /** Counts a request as no longer kept. */
  release(request: NotedRequest): void {
    this.#bytes -= this.#kept.get(request)?.bytes ?? 0;
    this.#kept.delete(request);
  }
}
