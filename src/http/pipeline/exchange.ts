import type { Response } from 'express';
import type { Account } from '../../accounts/account.js';
import type { NotedRequest } from '../../accounts/journal/journal-request.js';
import type { DecisionId, Decisions } from '../../decisions/ledger.js';
import type { ProblemError } from '../../errors/problems.js';
import type { MatchedPath, OperationRoute } from '../../openapi/route-table.js';
import type { Contract } from '../../openapi/specification-in-force.js';

/** What is known of one request and its answer while it is under way. */
export interface Exchange {
  /** The method that was sent, where the request is answered as another. */
  method?: string;
  /** The path of the document that the request is for; none if there is no such path. */
  path?: MatchedPath;
  /** The operation that the request calls. */
  route?: OperationRoute;
  /** The bearer token, once it is known to name an account. */
  token?: string;
  /** The account that the token names. */
  account?: Account;
  /** The account's generation when the request came. */
  generation?: number;
  /** The document by which the account is answered. */
  contract?: Contract;
  /** The decisions by which the account is answered. */
  decisions?: Decisions;
  /** Those that were read for this answer; kept only where answers are to name them. */
  restedOn?: Set<DecisionId>;
  /** The request as the journal keeps it. */
  noted?: NotedRequest;
  /** Why the request was refused. */
  problem?: ProblemError;
}

/** The exchange that this response belongs to. */
export function exchangeOf(response: Response): Exchange {
  response.locals.exchange ??= {};
  return response.locals.exchange as Exchange;
}
