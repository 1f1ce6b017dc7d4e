import { ProblemError } from '../errors/problem-error.js';
import { cut } from '../messages/received-value.js';

const EXPECTED = 'the nextCursor of the page before, unchanged';

/** The refusal of a cursor, with the reason why it is invalid. */
export function invalidCursor(cursor: string, reason: string): ProblemError {
  const detail = 'Start again without a cursor.';
  return new ProblemError(
    'invalid-cursor',
    `Invalid cursor '${cut(cursor)}': ${reason}. Expected ${EXPECTED}; start again without a cursor.`,
    {
      errors: [
        { in: 'query', pointer: '/cursor', expected: EXPECTED, received: cut(cursor), detail },
      ],
    },
  );
}
