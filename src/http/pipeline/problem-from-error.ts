import { error as validatorErrors } from 'express-openapi-validator';
import { InvalidInputError } from '../../errors/invalid-input.js';
import { pointerTo } from '../../errors/json-pointer.js';
import { ProblemError } from '../../errors/problem-error.js';
import type { ProblemName } from '../../errors/problem-types.js';
import { UnknownIdError } from '../../errors/unknown-id.js';
import { shorten } from './validate-request/describe-invalid-value.js';

/** What the body parser throws: `type` names the kind, and is missing for a broken encoding. */
interface BodyParserError extends Error {
  readonly status: number;
  readonly type?: string;
  /** The most bytes that are read. */
  readonly limit?: number;
}

type BodyProblem = readonly [ProblemName, (why: string, error: BodyParserError) => string];

const UNREADABLE_BODY: BodyProblem = [
  'invalid-request',
  (why) => `The body could not be read (${why}); expected complete JSON in its Content-Encoding.`,
];

const BODY_PROBLEMS: Readonly<Record<string, BodyProblem>> = {
  'entity.too.large': [
    'content-too-large',
    (_why, { limit = 0 }) =>
      `The body has more than ${limit} bytes (${limit / 2 ** 20} MB); expected at most that. Send it in several requests.`,
  ],
  'encoding.unsupported': [
    'unsupported-media-type',
    (why) => `The body has an ${why}; expected gzip, deflate, br or none.`,
  ],
};

/** The problem for a thrown value; anything unknown is a defect of the mock itself. */
export function problemFrom(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof validatorErrors.InternalServerError) {
    return new ProblemError(
      'invalid-answer',
      `The answer does not match the document: ${thrown.message}. This is a defect of the mock or of the record; please report it.`,
      { cause: thrown },
    );
  }
  if (thrown instanceof UnknownIdError)
    return new ProblemError('unknown-identifier', thrown.message);
  if (thrown instanceof InvalidInputError) {
    return new ProblemError('invalid-request', thrown.message, {
      errors: thrown.mistakes.map(({ path, expected, received, fix }) =>
        shorten({
          in: 'body',
          pointer: pointerTo(...path),
          expected,
          ...(received !== undefined && { received }),
          detail: fix ?? 'Correct or remove the value.',
        }),
      ),
    });
  }
  if (isBodyParserError(thrown)) {
    const [problem, detail] = BODY_PROBLEMS[thrown.type ?? ''] ?? UNREADABLE_BODY;
    const isInvalid = problem === 'invalid-request';
    return new ProblemError(problem, detail(thrown.message, thrown), {
      ...(isInvalid && { decision: 'invalid-request-status' }),
    });
  }
  return new ProblemError(
    'internal-error',
    'The mock failed while it answered; its log has the cause. Please report it.',
    { cause: thrown },
  );
}

function isBodyParserError(thrown: unknown): thrown is BodyParserError {
  if (!(thrown instanceof Error) || !('status' in thrown)) return false;
  return typeof thrown.status === 'number' && thrown.status < 500;
}
