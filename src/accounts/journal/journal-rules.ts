import type { RecordChecks } from '../../datasets/fixture/record-checks.js';
import type { JournalBudget } from './journal-budget.js';
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
}
