import type { ErrorRequestHandler, Response } from 'express';
import { Clock } from '../../accounts/clock.js';
import type { Journal } from '../../accounts/journal/journal.js';
import type { Refusal } from '../../accounts/journal/journal-request.js';
import { redactionOfRefusal } from '../../accounts/journal/redact-request.js';
import type { Latency } from '../../accounts/latency.js';
import { AppliedDecisions } from '../../decisions/applied-decisions.js';
import type { Decisions } from '../../decisions/ledger.js';
import { describeProblem, headersOf, type Problem } from '../../errors/describe-problem.js';
import { errorBody } from '../../errors/error-body.js';
import type { ProblemError } from '../../errors/problem-error.js';
import { awaitLatency } from './delay-answer.js';
import { exchangeOf } from './exchange.js';
import { noteRequest } from './keep-journal.js';
import { setDecisionsField } from './name-decisions.js';
import { problemFrom } from './problem-from-error.js';

/** How errors are written. */
export interface ErrorRules {
  /** The decisions by which requests are answered that reach no account. */
  readonly decisions: () => Decisions;
  /** Where requests are noted that reach no account; nowhere if it is left out. */
  readonly journal?: Journal;
  /** How long answers to these are held back; no error is if it is left out. */
  readonly latency?: Latency;
  /** True to name in a header field the decisions that the error rests on. */
  readonly namesDecisions?: boolean;
}

/** Turns anything thrown into an answer: the only place that writes an error. */
export function sendProblem(rules: ErrorRules): ErrorRequestHandler {
  const { journal, latency } = rules;
  const clock = new Clock();
  // Express recognises an error handler by its four parameters.
  return (thrown: unknown, request, response, _next) => {
    if (isAborted(thrown)) return;
    const exchange = exchangeOf(response);
    const error = problemFrom(thrown);
    exchange.problem = error;
    if (!exchange.account && !exchange.noted && journal) {
      noteRequest(request, response, journal, clock);
    }
    const write = () => writeProblem(error, response, rules);
    const { account, noted } = exchange;
    // The control plane has accounts, whose latency is not for its answers.
    if (latency && noted) awaitLatency(response, account?.latency ?? latency, noted, write);
    else write();
  };
}

function writeProblem(error: ProblemError, response: Response, rules: ErrorRules): void {
  const { journal, namesDecisions = false } = rules;
  const exchange = exchangeOf(response);
  const decisions = exchange.decisions ?? new AppliedDecisions(rules.decisions());
  const problem = describeProblem(error, decisions);
  if (exchange.noted) {
    const { status, ...refusal } = refusalOf(error.problem, problem, decisions.inForce);
    const redaction = redactionOfRefusal(exchange.noted, error.ground);
    // A long body is not searched, and an error of the parser quotes what is around it.
    const isLong = typeof exchange.noted.body === 'object';
    const short = isLong ? error.ground.inShort : undefined;
    const kept = short === undefined ? refusal : { ...refusal, detail: short };
    const noting = exchange.account?.journal ?? journal;
    noting?.noteRefusal(exchange.noted, status, kept, redaction);
  }
  const { mediaType, write } = errorBody(decisions);
  if (mediaType) response.setHeader('Content-Type', mediaType);
  const body = write(problem);
  if (namesDecisions && exchange.decisions) setDecisionsField(response, decisions);
  // Not res.json: the validator hooks it, and would throw inside this handler.
  response
    .status(problem.status)
    .set(headersOf(error))
    .set('Content-Length', String(Buffer.byteLength(body)))
    .end(body);
}

/** True if the client closed the connection during its upload: nobody reads an answer. */
function isAborted(thrown: unknown): boolean {
  return thrown instanceof Error && 'type' in thrown && thrown.type === 'request.aborted';
}

/** What the journal keeps of a problem. */
function refusalOf(
  problem: string,
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
