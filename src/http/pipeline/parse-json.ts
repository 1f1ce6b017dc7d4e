import { JSONParser } from '@streamparser/json';
import { runWithoutBlocking } from '../../accounts/run-without-blocking.js';
import type { Steps } from '../../store/work-in-steps.js';

/** So many bytes are parsed in some milliseconds: the fastest way, all at once. */
const AT_ONCE_BYTES = 2 ** 20;
const STEP_BYTES = 2 ** 14;

/**
 * The JSON value of a body in UTF-8. A long one is parsed in slices, so that other requests are
 * answered meanwhile. Rejects with an error that says what is wrong with the syntax.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  if (bytes.length > AT_ONCE_BYTES) return runWithoutBlocking(parsing(bytes));
  return JSON.parse(new TextDecoder().decode(bytes));
}

function* parsing(bytes: Buffer): Steps<unknown> {
  const parser = new JSONParser({ paths: ['$'], keepStack: false });
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
