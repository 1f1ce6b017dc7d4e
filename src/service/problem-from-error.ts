import { InvalidInputError } from '../errors/invalid-input.js';
import { ProblemError } from '../errors/problem-error.js';
import { UnknownIdError } from '../errors/unknown-id.js';
import { WrongResponseError } from '../openapi/judge.js';
import { pointerTo } from '../values/json-value.js';
import { shorten } from './describe-invalid-value.js';

/** The problem for a thrown value; anything unknown is a defect of the mock itself. */
export function problemFrom(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof WrongResponseError) {
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
  return new ProblemError(
    'internal-error',
    'The mock failed while it answered; its log has the cause. Please report it.',
    { cause: thrown },
  );
}
