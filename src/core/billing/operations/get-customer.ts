import type { DecisionValue } from '../../decisions/ledger.js';
import { inOrder } from '../../store/order.js';
import { cut } from '../../values/received-value.js';
import type { AccountStore } from '../account-store.js';
import { type Operation, unknownId } from '../operation.js';
import { type Customer, OLDEST_FIRST } from '../resources.js';

/** Returns one customer by its id or externalId, as decided (section 4.3). */
export const getCustomer: Operation<'getCustomer'> = {
  run({ account, decisions }, { path: { customerId } }) {
    const { words, find } = CUSTOMER_ID_MATCHES[decisions.apply('customer-id-matches')];
    const customer = find(account.store, customerId);
    if (customer) return { customer };
    const what = `customer with the ${words} '${cut(customerId)}'`;
    throw unknownId(what, account.store, 'customers', customerId);
  },
  refusals: () => ['unknown-identifier'],
};

type Find = (store: AccountStore, value: string) => Customer | undefined;

const byId: Find = ({ customers }, value) => customers.get(value);

const byExternalId: Find = ({ customers }, value) =>
  inOrder(customers.find('externalId', value), OLDEST_FIRST)[0];

const CUSTOMER_ID_MATCHES: Record<
  DecisionValue<'customer-id-matches'>,
  { readonly words: string; readonly find: Find }
> = {
  'id-or-external-id': {
    words: 'id or externalId',
    find: (store, value) => byId(store, value) ?? byExternalId(store, value),
  },
  id: { words: 'id', find: byId },
  'external-id': { words: 'externalId', find: byExternalId },
};
