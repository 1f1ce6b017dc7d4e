import type { JSONParser } from '@streamparser/json';
import { ProblemError } from '../errors/problem-error.js';
import type { Steps } from '../store/work-in-steps.js';

/** So many bytes are parsed in some milliseconds: the fastest way, all at once. */
const AT_ONCE_BYTES = 2 ** 20;

const STEP_BYTES = 2 ** 14;

/**
 * The JSON value of a body in UTF-8. A long one is parsed in slices, so that other requests are
 * answered meanwhile. Rejects with an error that says what is wrong with the syntax.
 */
export async function parseJson(
  bytes: Uint8Array,
  run: <Result>(steps: Steps<Result>) => Promise<Result>,
): Promise<unknown> {
  if (bytes.length <= AT_ONCE_BYTES) return JSON.parse(textOf(bytes));
  textOf(bytes);
  const { JSONParser: Parser } = await import('@streamparser/json');
  return run(parsing(bytes, new Parser({ paths: ['$'], keepStack: false })));
}

/** Parses slice by slice. Throws an error that says what is wrong with the syntax. */
function* parsing(bytes: Uint8Array, parser: JSONParser): Steps<unknown> {
  let parsed: unknown;
  parser.onValue = ({ value }) => {
    parsed = value;
  };
  for (let start = 0; start < bytes.length; start += STEP_BYTES) {
    parser.write(bytes.subarray(start, start + STEP_BYTES));
    yield;
  }
  if (!parser.isEnded) parser.end();
  return parsed;
}

/** The text of bytes in UTF-8; refuses others: decoding would replace them with U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemError(
      'malformed-json',
      'The body is not UTF-8; expected a JSON object in UTF-8 (RFC 8259, section 8.1). Encode it as UTF-8.',
      { decision: 'invalid-request-status' },
    );
  }
}
