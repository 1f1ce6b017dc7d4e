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
  const found = NAME_MATCHES[decisions['name-matches']](account, name);
  const [customer, ...others] = inOrder(found, OLDEST_FIRST);
  if (customer === undefined) {
    throw new ProblemError(
      'unknown-identifier',
      `No customer of this account bears the name '${name}'. Names match code point by code point, untrimmed.`,
      { decision: 'unknown-identifier-status' },
    );
  }
  if (others.length > 0) DUPLICATE_NAME[decisions['duplicate-name']](name, found);
  return { customer };
};

const NAME_MATCHES: Record<
  DecisionValue<'name-matches'>,
  (account: Store, name: string) => Customer[]
> = {
  exact: ({ customers }, name) => customers.find('name', name),
  'case-insensitive': ({ customers }, name) => customers.find('folded name', foldCase(name)),
  'name-or-alias': ({ customers }, name) => customers.find('name or alias', name),
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
