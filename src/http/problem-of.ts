import { error as validatorErrors } from 'express-openapi-validator';
import { ProblemError, type ProblemName } from '../billing/problems.js';

/** What the body parser throws: `type` names the kind (see the body-parser documentation). */
interface BodyParserError extends Error {
  readonly type: string;
}

const BODY_PROBLEMS: Readonly<Record<string, readonly [ProblemName, (why: string) => string]>> = {
  'entity.parse.failed': [
    'malformed-json',
    (why) => `The body is not JSON: ${why}. Expected a JSON object; correct the syntax.`,
  ],
  'entity.too.large': [
    'content-too-large',
    () =>
      'The body has more than 10485760 bytes (10 MB); expected at most that. Send it in several requests.',
  ],
  'charset.unsupported': [
    'unsupported-media-type',
    (why) => `The body has an ${why}; expected UTF-8. Set the charset of the Content-Type.`,
  ],
  'encoding.unsupported': [
    'unsupported-media-type',
    (why) => `The body has an ${why}; expected gzip, deflate, br or none.`,
  ],
};

/** The problem that a thrown value is; whatever is not known is a fault of the mock itself. */
export function problemOf(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof validatorErrors.InternalServerError) {
    return new ProblemError(
      'invalid-answer',
      `The answer breaks the document: ${thrown.message}. This is a fault of the mock or of the record; please report it.`,
      { cause: thrown },
    );
  }
  if (isBodyParserError(thrown)) {
    const [problem, detail] = BODY_PROBLEMS[thrown.type] ?? [
      'invalid-request' as const,
      (why: string) => `The body could not be read: ${why}. Send it whole, as JSON.`,
    ];
    return new ProblemError(problem, detail(thrown.message), { cause: thrown });
  }
  return new ProblemError(
    'internal-error',
    'The mock failed while it answered; its log has the cause. Please report it.',
    { cause: thrown },
  );
}

function isBodyParserError(thrown: unknown): thrown is BodyParserError {
  return thrown instanceof Error && 'type' in thrown && typeof thrown.type === 'string';
}
