import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import type { ProblemName } from '../../core/errors/problem-types.js';
import { UnknownIdError } from '../../core/errors/unknown-id.js';
import type { Problem } from '../../core/errors/write-problem.js';
import { namesOfPointer } from '../../core/values/json-value.js';
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

/** An error of the class that the library throws, with the detail of the problem as its message. */
export function errorOf({ type, status, errors, detail: sent }: Problem): Error {
  const detail = escapeControls(sent);
  const problem = type.slice(TYPE.length) as ProblemName;
  if (problem === 'unknown-identifier') return new UnknownIdError(detail);
  const mistakes = errors?.map(({ pointer, received, detail: fix, ...mistake }) => ({
    ...mistake,
    path: namesOfPointer(pointer),
    received,
    fix,
  }));
  if (problem !== 'invalid-request' || !mistakes) {
    return new ProblemError(problem, detail, { status, ...(mistakes && { mistakes }) });
  }
  return Object.assign(new InvalidInputError(mistakes), { message: detail });
}
