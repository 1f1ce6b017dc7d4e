import type { DecisionsBehindResponse } from '../../decisions/decisions-behind-response.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import { ProblemError } from '../../errors/problem-error.js';
import type { ProblemName } from '../../errors/problem-types.js';
import { inOrder } from '../../store/order.js';
import { foldCase } from '../../values/fold-case.js';
import { cut } from '../../values/received-value.js';
import type { AccountStore } from '../account-store.js';
import { type Operation, sendListed, unknownIdentifier } from '../operation.js';
import { type Customer, OLDEST_FIRST } from '../resources.js';

/** Returns the customer with the name (section 4.2). */
export const getCustomerByName: Operation<'getCustomerByName'> = {
  run({ account, decisions }, { path: { name } }) {
    const { words, find } = NAME_MATCHES[decisions.apply('name-matches')];
    const found = find(account.store, name);
    const [customer, ...others] = inOrder(found, OLDEST_FIRST);
    if (customer === undefined) {
      const alike = NAME_MATCHES['case-insensitive'].find(account.store, name)[0]?.name;
      const [advice, decision] =
        alike === undefined
          ? ([sendListed('customers'), 'unknown-identifier-status'] as const)
          : ([`Send '${cut(alike)}', which differs only in case.`, 'name-matches'] as const);
      const what = `customer with the name '${cut(name)}'`;
      throw unknownIdentifier(what, `${words} ${advice}`, decision);
    }
    const problem = others.length > 0 ? duplicatedName(decisions) : undefined;
    if (problem === undefined) return { customer };
    throw new ProblemError(
      problem,
      `${found.length} customers in this account match the name '${cut(name)}'; expected one. Get the customer by id.`,
      { decision: 'duplicate-name' },
    );
  },
  refusals: (decisions) => ['unknown-identifier', duplicatedName(decisions)],
};

interface NameMatch {
  readonly words: string;
  readonly find: (store: AccountStore, name: string) => readonly Customer[];
}

const NAME_MATCHES: Record<DecisionValue<'name-matches'>, NameMatch> = {
  exact: {
    words: 'Names must match exactly, including case and spaces; aliases do not count.',
    find: ({ customers }, name) => customers.find('name', name),
  },
  'case-insensitive': {
    words: 'Names must match exactly, except for case; aliases do not count.',
    find: ({ customers }, name) => customers.find('folded name', foldCase(name)),
  },
  'name-or-alias': {
    words: 'A name or an alias must match exactly, including case and spaces.',
    find: ({ customers }, name) => customers.find('name or alias', name),
  },
};

function duplicatedName(decisions: DecisionsBehindResponse): ProblemName | undefined {
  return DUPLICATE_NAME[decisions.apply('duplicate-name')];
}

const DUPLICATE_NAME: Record<DecisionValue<'duplicate-name'>, ProblemName | undefined> = {
  oldest: undefined,
  conflict: 'duplicate-name',
};
