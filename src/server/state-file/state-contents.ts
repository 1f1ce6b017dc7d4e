import { createHmac } from 'node:crypto';
import { FORMAT } from './read-state.js';
import { type CapturedAccount, type WrittenAccount, writeAccount } from './written-account.js';

export interface Content {
  readonly dataset: string;
  readonly today: string;
  readonly changed: readonly CapturedAccount[];
  readonly unclaimed: readonly WrittenAccount[];
}

/** The JSON of the file without its digest, with a line for each account. */
export function* piecesOf(content: Content, salt: string): Iterable<string> {
  const { dataset, today, changed, unclaimed } = content;
  yield `${JSON.stringify({ format: FORMAT, dataset, today, salt }).slice(0, -1)},"accounts":[`;
  let separator = '\n';
  for (const account of unclaimed) {
    yield separator + JSON.stringify(account);
    separator = ',\n';
  }
  for (const account of changed) {
    yield separator;
    yield* writeAccount(account, hashToken(salt, account.token));
    separator = ',\n';
  }
  yield '\n]';
}

/** A salted hash, so that the file does not reveal the token. */
export function hashToken(salt: string, token: string): string {
  return createHmac('sha256', salt).update(token).digest('hex');
}
