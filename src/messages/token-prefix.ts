import { shown } from './received-value.js';

/** The prefix of a selection of accounts. Throws a `TypeError` for any other selection. */
export function prefixOf(selection: { readonly prefix: string }): string {
  const { prefix, ...others } = Object(selection) as Partial<typeof selection>;
  if (typeof prefix === 'string' && prefix !== '' && Object.keys(others).length === 0) {
    return prefix;
  }
  throw new TypeError(
    `The selection of accounts is ${shown(selection)}; expected { prefix } with the first characters of tokens. Close every account with closeAllAccounts().`,
  );
}
