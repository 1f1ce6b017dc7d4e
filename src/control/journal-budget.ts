import type { Journal } from './journal.js';
import type { NotedRequest } from './journal-request.js';

/** What all journals of one server may hold together; beyond it the oldest request is let go. */
export class JournalBudget {
  readonly #mostBytes: number;
  /** Whose each request is and what it takes; in the order in which they came. */
  readonly #kept = new Map<NotedRequest, { readonly journal: Journal; readonly bytes: number }>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Counts a request as kept by a journal, or counts it again when it has grown. */
  keep(request: NotedRequest, journal: Journal, bytes: number): void {
    this.#bytes += bytes - (this.#kept.get(request)?.bytes ?? 0);
    this.#kept.set(request, { journal, bytes });
    for (const [oldest, { journal: owner }] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break;
      owner.evict(oldest);
    }
  }

  /** Counts a request as no longer kept. */
  release(request: NotedRequest): void {
    this.#bytes -= this.#kept.get(request)?.bytes ?? 0;
    this.#kept.delete(request);
  }
}
