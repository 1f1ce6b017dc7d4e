import type { Request, RequestHandler, Response } from 'express';
import type { Account } from '../../accounts/account.js';
import type { NotedRequest } from '../../accounts/journal/journal-request.js';
import type { AppliedDecisions } from '../../decisions/applied-decisions.js';
import type { ProblemError } from '../../errors/problem-error.js';
import type { MatchedPath, OperationRoute } from '../../openapi/route-table.js';
import type { Specification } from '../../openapi/specification-in-force.js';
import type { Validation } from '../../openapi/validator.js';
import type { Stub } from '../../stubs/stub.js';

/** What is known of one request and its answer while it is under way; each step adds to it. */
export interface Exchange {
  /** The method that was sent, where the request is answered as another. */
  method?: string;
  /** The path of the document that the request is for; none if there is no such path. */
  path?: MatchedPath;
  /** The operation that the request calls. */
  route?: OperationRoute;
  /** The stub that the request calls, where no operation answers it. */
  stub?: Stub;
  /** The bearer token, once it is known to name an account. */
  token?: string;
  /** The account that the token names. */
  account?: Account;
  /** The account's generation when the request arrived. */
  generation?: number;
  /** The specification by which the account is answered. */
  specification?: Specification;
  /** The decisions by which the account is answered. */
  decisions?: AppliedDecisions;
  /** The request as the journal keeps it. */
  noted?: NotedRequest;
  /** What the validator found; it validates the answer as well. */
  validation?: Validation;
  /** What the operation has answered. */
  answer?: Answer;
  /** What is about to be sent, whoever made it; a fault distorts this. */
  ready?: ReadyResponse;
  /** Why the request was refused. */
  problem?: ProblemError;
  /** What was sent of the body of the answer, while answers are kept. */
  sent?: { add(written: readonly unknown[]): void };
}

/** A success before it is sent. */
interface Answer {
  readonly status: number;
  readonly body: object;
}

/** A response as it leaves unless a fault distorts it. */
export interface ReadyResponse {
  readonly status: number;
  /** Its length is added when it is sent, and the type of JSON where a body has none here. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if there is none. */
  readonly body: string | undefined;
}

/** An exchange of which some parts are known for certain. */
export type KnownExchange<Part extends keyof Exchange> = Exchange & Required<Pick<Exchange, Part>>;

/** The exchange that this response belongs to. */
export function exchangeOf(response: Response): Exchange {
  response.locals.exchange ??= {};
  return response.locals.exchange as Exchange;
}

/** What a step does; it calls `next`, answers, or throws. */
type Act<Part extends keyof Exchange> = (
  exchange: KnownExchange<Part>,
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
) => void | Promise<void>;

/**
 * Creates a step of the pipeline, which needs certain parts of the exchange. Throws if an earlier
 * step has not set one of them, so that nothing is silently skipped.
 */
export function createStep<Part extends keyof Exchange>(
  needed: readonly Part[],
  act: Act<Part>,
): RequestHandler {
  return (request, response, next) =>
    act(withParts(exchangeOf(response), needed), request, response, next);
}

/** The exchange with certain parts; throws if one of them is missing. */
export function withParts<Part extends keyof Exchange>(
  exchange: Exchange,
  needed: readonly Part[],
): KnownExchange<Part> {
  for (const part of needed) {
    if (exchange[part] === undefined) {
      throw new Error(`This step needs '${part}' of the exchange; no step before has set it.`);
    }
  }
  return exchange as KnownExchange<Part>;
}
