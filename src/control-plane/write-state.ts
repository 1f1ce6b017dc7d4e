import type { AccountStore } from '../billing/account-store.js';
import { RESOURCE_NAMES } from '../billing/resources.js';
import { ProblemError } from '../errors/problem-error.js';
import { inSteps, type Steps } from '../store/work-in-steps.js';
import { JsonPieces } from './send-json-pieces.js';

const LARGEST_STATE = 64 * 2 ** 20;
const SMALLEST_RECORD = Buffer.byteLength(
  '{"id":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}',
);
const CHARACTERS_A_PIECE = 2 ** 16;

/** Writes every record of a store that nobody changes; refuses a state that is too large early. */
export function* writingState(store: AccountStore): Steps<JsonPieces> {
  if (store.size * SMALLEST_RECORD > LARGEST_STATE) throw tooLarge();
  const pieces: Buffer[] = [];
  let length = 0;
  let text = '{';
  function flush(): void {
    const piece = Buffer.from(text);
    pieces.push(piece);
    length += piece.length;
    text = '';
    if (length > LARGEST_STATE) throw tooLarge();
  }

  for (const [nth, name] of RESOURCE_NAMES.entries()) {
    text += `${nth > 0 ? '],' : ''}"${name}":[`;
    let separator = '';
    yield* inSteps(store[name], (record) => {
      text += separator + JSON.stringify(record);
      separator = ',';
      if (text.length > CHARACTERS_A_PIECE) flush();
    });
  }
  text += ']}';
  flush();
  return new JsonPieces(pieces, length);
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'content-too-large',
    'The state of the account has more than 64 MB; expected less. Read its collections page by page.',
  );
}
