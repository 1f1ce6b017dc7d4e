import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import type { ProblemName } from '../../core/errors/problem-types.js';
import { UnknownIdError } from '../../core/errors/unknown-id.js';
import type { Problem } from '../../core/errors/write-problem.js';
import { namesOfPointer, valueAt } from '../../core/values/json-value.js';
import { escapeControls } from '../../core/values/received-value.js';

const TYPE = 'urn:usage-billing-mock:problem:';

/** The body of a response, if it is a problem from the mock. */
export function problemIn(body: object | undefined): Problem | undefined {
  const { type, detail } = (body ?? {}) as Partial<Problem>;
  const isProblem = typeof type === 'string' && type.startsWith(TYPE) && typeof detail === 'string';
  return isProblem ? (body as Problem) : undefined;
}

/** The response; undefined if nothing has the id that was asked for. */
export async function undefinedIfUnknown<Body>(response: Promise<Body>): Promise<Body | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof UnknownIdError) return undefined;
    throw error;
  }
}

/** The error that the library throws for a problem from the control plane. */
export function errorOf({ type, status, errors, ...told }: Problem, sent: unknown): Error {
  const detail = escapeControls(told.detail);
  const problem = type.slice(TYPE.length) as ProblemName;
  if (problem === 'unknown-identifier') return new UnknownIdError(detail);
  const mistakes = errors?.map((one) => ({
    in: one.in,
    path: namesOfPointer(one.pointer),
    expected: one.expected,
    // A response shows only the beginning of a long value.
    received: valueAt(sent, one.pointer) ?? one.received,
    fix: one.detail,
  }));
  if (problem !== 'invalid-request' || !mistakes) {
    return new ProblemError(problem, detail, { status, ...(mistakes && { mistakes }) });
  }
  const error = new InvalidInputError(mistakes);
  // Only the detail says whether there are more mistakes than the problem lists.
  error.message = detail;
  return error;
}
