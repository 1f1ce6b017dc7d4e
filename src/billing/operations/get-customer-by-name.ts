import type { DecisionValue } from '../decisions.js';
import type { Operation } from '../operation.js';
import { inOrder, OLDEST_FIRST } from '../order.js';
import { ProblemError } from '../problems.js';
import type { Customer } from '../resources.js';
import { foldCase, type Store } from '../store.js';

/** Returns the customer that bears the name (section 4.2). */
export const getCustomerByName: Operation<'getCustomerByName'> = (
  { account, decisions },
  { path: { name } },
) => {
  const { words, find } = NAME_MATCHES[decisions['name-matches']];
  const found = find(account, name);
  const [customer, ...others] = inOrder(found, OLDEST_FIRST);
  if (customer === undefined) {
    throw new ProblemError(
      'unknown-identifier',
      `No customer of this account bears the name '${name}'. ${words}`,
      { decision: 'unknown-identifier-status' },
    );
  }
  if (others.length > 0) DUPLICATE_NAME[decisions['duplicate-name']](name, found);
  return { customer };
};

const NAME_MATCHES: Record<
  DecisionValue<'name-matches'>,
  { readonly words: string; readonly find: (account: Store, name: string) => readonly Customer[] }
> = {
  exact: {
    words: 'Names match code point by code point, untrimmed; aliases do not count.',
    find: ({ customers }, name) => customers.find('name', name),
  },
  'case-insensitive': {
    words: 'Names match in any case, untrimmed; aliases do not count.',
    find: ({ customers }, name) => customers.find('folded name', foldCase(name)),
  },
  'name-or-alias': {
    words: 'Names and aliases match code point by code point, untrimmed.',
    find: ({ customers }, name) => customers.find('name or alias', name),
  },
};

const DUPLICATE_NAME: Record<
  DecisionValue<'duplicate-name'>,
  (name: string, found: readonly Customer[]) => void
> = {
  oldest: () => {},
  conflict: (name, found) => {
    throw new ProblemError(
      'duplicate-name',
      `${found.length} customers of this account bear the name '${name}'; expected one. Get the customer by its id.`,
      { decision: 'duplicate-name' },
    );
  },
};
