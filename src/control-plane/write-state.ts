import type { AccountStore } from '../billing/account-store.js';
import { RESOURCE_NAMES } from '../billing/resources.js';
import { ProblemError } from '../errors/problem-error.js';
import { inSteps, type Steps } from '../store/work-in-steps.js';
import { JsonPieces } from './json-pieces.js';

const LARGEST_STATE = 64 * 2 ** 20;
const SMALLEST_RECORD =
  '{"id":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}'.length;

/** Writes every record of a store that nobody changes; refuses a state that is too large early. */
export function* writingState(store: AccountStore): Steps<JsonPieces> {
  if (store.size * SMALLEST_RECORD > LARGEST_STATE) throw tooLarge();
  const pieces = new JsonPieces().add('{');
  for (const [nth, name] of RESOURCE_NAMES.entries()) {
    pieces.add(`${nth > 0 ? '],' : ''}"${name}":[`);
    let separator = '';
    yield* inSteps(store[name], (record) => {
      pieces.add(separator + JSON.stringify(record));
      separator = ',';
      if (pieces.bytes > LARGEST_STATE) throw tooLarge();
    });
  }
  return pieces.add(']}');
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'content-too-large',
    'The state of the account has more than 64 MB; expected less. Read its collections page by page.',
  );
}
