import { cut, shown } from '../values/received-value.js';
import { recogniseAcrossBundles } from './same-error-across-bundles.js';

/**
 * An id or a name that matches nothing in the account; nothing was changed.
 *
 * @example
 * try {
 *   account.restore('a snapshot that was never taken');
 * } catch (error) {
 *   if (error instanceof UnknownIdError) console.log(error.message);
 * }
 */
export class UnknownIdError extends Error {
  override readonly name = 'UnknownIdError';
}

recogniseAcrossBundles(UnknownIdError, 'UnknownIdError');

export function unknownRecord(id: unknown, collection: string): UnknownIdError {
  return new UnknownIdError(
    `There is no record ${quoted(id)} in ${collection}; expected the id of an existing one. List them to find it, or add it.`,
  );
}

export function unknownSnapshot(id: unknown, ids: readonly string[]): UnknownIdError {
  const expected = ids.join(', ') || 'the id of one that you have taken';
  return new UnknownIdError(
    `There is no snapshot ${quoted(id)} in this account; expected ${expected}.`,
  );
}

export function unknownScenario(name: unknown, names: readonly string[]): UnknownIdError {
  const expected = names.join(', ') || 'a fixture with `scenarios` as the dataset';
  return new UnknownIdError(
    `There is no scenario ${quoted(name)} in this dataset; expected ${expected}.`,
  );
}

export function unknownRequest(id: unknown): UnknownIdError {
  return new UnknownIdError(
    `The journal has no request ${quoted(id)}; expected an id that the journal lists.`,
  );
}

function quoted(id: unknown): string {
  return typeof id === 'object' ? shown(id) : `'${cut(String(id))}'`;
}
