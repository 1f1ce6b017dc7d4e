import { JSONParser } from '@streamparser/json';
import type { Steps } from '../../store/work-in-steps.js';

const STEP_BYTES = 2 ** 14;

/** Parses JSON slice by slice. Throws an error that says what is wrong with the syntax. */
export function* parsingLongJson(bytes: Buffer): Steps<unknown> {
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
