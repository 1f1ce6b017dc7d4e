import { DecisionsBehindResponse } from '../../core/decisions/decisions-behind-response.js';
import type { Decisions } from '../../core/decisions/ledger.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { UnknownIdError } from '../../core/errors/unknown-id.js';
import {
  describeProblem,
  errorBody,
  headersOf,
  type Problem,
  withoutLargeValues,
} from '../../core/errors/write-problem.js';
import { WrongResponseError } from '../../core/openapi/judge.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { Refusal } from '../accounts/journal/noted-request.js';
import type { Latency } from '../accounts/latency.js';
import { awaitLatency } from './add-latency.js';
import { preflightMethod } from './cross-origin.js';
import type { Exchange, Step } from './exchange.js';
import { noteRequest } from './note-request.js';
import { FAILED_SENTENCE, nameDecisions, respond } from './respond.js';

export interface ErrorRules {
  /** The decisions for requests that reach no account. */
  readonly decisions: () => Decisions;
  /** The journal of requests that reach no account; if left out, they are not noted. */
  readonly journal?: Journal;
  /** The latency for requests that reach no account; if left out, no error is delayed. */
  readonly latency?: Latency;
  readonly namesDecisions?: boolean;
}

/** Responds to an exchange whose step has thrown. */
export type Refuse = (exchange: Exchange, thrown: unknown) => void | Promise<void>;

/** Refuses whatever is called, but for preflights: these ask for nothing that could fail. */
export const refuseEveryCall: Step = (exchange) => {
  if (preflightMethod(exchange) !== undefined) return;
  throw new ProblemError(
    'internal-error',
    'In this run every call gets a 500, to see whether the command fails then.',
  );
};

/** Turns what steps throw into responses, so that no step writes errors itself. */
export function refuseBy(rules: ErrorRules): Refuse {
  const { journal, latency } = rules;
  return function refuse(exchange, thrown) {
    // The caller has gone: nobody reads a response.
    if (exchange.request.signal.aborted) throw thrown;
    const error = withoutLargeValues(problemFrom(thrown));
    exchange.problem = error;
    exchange.releaseBody();
    if (!exchange.account && !exchange.noted && journal) noteRequest(exchange, journal);
    try {
      const waiting = latency && awaitLatency(exchange, latency);
      if (waiting) return waiting.then(() => respondWithProblem(exchange, error, rules));
    } catch (refusal) {
      // No room to wait in: its own refusal does not wait.
      return refuse(exchange, refusal);
    }
    respondWithProblem(exchange, error, rules);
  };
}

function respondWithProblem(exchange: Exchange, error: ProblemError, rules: ErrorRules): void {
  const { namesDecisions = false } = rules;
  const { noted, journal, decisions: own } = exchange;
  const decisions = own ?? new DecisionsBehindResponse(rules.decisions());
  exchange.decisions = decisions;
  const problem = describeProblem(error, decisions);
  const { mediaType, write } = errorBody(decisions);
  if (noted) {
    const { status, ...refusal } = refusalOf(error, problem, decisions.inForce);
    journal?.noteRefusal(noted, status, refusal);
  }
  if (namesDecisions && own) nameDecisions({ headers: exchange.headers, decisions });
  const type = mediaType === undefined ? {} : { 'Content-Type': mediaType };
  respond(exchange, problem.status, { ...type, ...headersOf(error) }, write(problem));
}

function refusalOf(
  { problem }: ProblemError,
  { status, detail, decision }: Problem,
  decisions: Decisions,
): Refusal & Pick<Problem, 'status'> {
  return {
    status,
    problem,
    detail,
    ...(decision !== undefined && {
      decision,
      decisionValue: String(decisions[decision as keyof Decisions]),
    }),
  };
}

/** Anything unknown is a bug in the mock. */
export function problemFrom(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof WrongResponseError) {
    return new ProblemError(
      'invalid-response',
      `The response does not match the document: ${thrown.message}. This is a defect in the mock, or in a record that it should have refused; please report it.`,
      { cause: thrown },
    );
  }
  if (thrown instanceof UnknownIdError)
    return new ProblemError('unknown-identifier', thrown.message);
  if (thrown instanceof InvalidInputError) {
    return new ProblemError('invalid-request', thrown.message, { mistakes: thrown.mistakes });
  }
  return new ProblemError('internal-error', FAILED_SENTENCE, { cause: thrown });
}
