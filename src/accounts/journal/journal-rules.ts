import type { RecordChecks } from '../../datasets/fixture/record-checks.js';
import type { JournalRequest, NotedRequest } from './journal-request.js';
import type { RequestFeed } from './request-feed.js';

/** All that a journal keeps. */
export interface JournalState {
  readonly requests: readonly NotedRequest[];
  readonly evicted: number;
  readonly nextId: number;
}

/** A request that has ended, without secrets, and the name of the account that it reached. */
export type EndedExchange = JournalRequest & { readonly account?: string };

/** What all journals of a server have in common. */
export interface JournalRules {
  /** How many requests one keeps. */
  readonly size: number;
  readonly budget: JournalBudget;
  readonly checks: RecordChecks;
  /** The version of the mock, which archives name. */
  readonly version: string;
  /** The reason phrases of statuses, which archives have. */
  readonly reasonPhrases: Readonly<Record<number, string | undefined>>;
  /** Called with each request when it has ended. */
  readonly record?: ((exchange: EndedExchange) => void) | undefined;
  /** Shows the requests to those who follow them. */
  readonly feed: RequestFeed;
  /** Calls once after a time, in real time; returns what cancels the call. */
  readonly after: (delayMs: number, act: () => void) => () => void;
}

/** Who keeps a request, and drops it when there is no more room. */
interface RequestKeeper {
  evict(request: NotedRequest): void;
}

/** What all journals of one server may hold together; beyond it the oldest request is dropped. */
export class JournalBudget {
  readonly #mostBytes: number;
  /** Called once, when there is no more room for the first time. */
  #tellFull: (() => void) | undefined;
  /** Who keeps each request and the bytes that it takes, in the order in which they arrived. */
  readonly #kept = new Map<
    NotedRequest,
    { readonly keeper: RequestKeeper; readonly bytes: number }
  >();
  #bytes = 0;

  constructor(mostBytes: number, tellFull: () => void) {
    this.#mostBytes = mostBytes;
    this.#tellFull = tellFull;
  }

  /** Counts a request as kept, or counts it again when it has grown. */
  keep(request: NotedRequest, keeper: RequestKeeper, bytes: number): void {
    this.#bytes += bytes - (this.#kept.get(request)?.bytes ?? 0);
    this.#kept.set(request, { keeper, bytes });
    for (const [oldest, { keeper: oldestKeeper }] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break;
      oldestKeeper.evict(oldest);
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
