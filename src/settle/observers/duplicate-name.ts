import { callsOf, instantOf, isOddInPath } from '../account-calls.js';
import { describeExchange } from '../evidence.js';
import { type Exchange, isSuccess } from '../exchange.js';
import type { Observation, Observer } from '../observation.js';
import { customersSeen, foundCustomer, type SeenCustomer } from '../seen-customers.js';

type Observed = Observation<'duplicate-name'>;

/** Reads which of several customers with one name is returned (section 4.2). */
export const duplicateName: Observer<'duplicate-name'> = {
  wanted: 'a name that two customers have',
  observe: (seen) => {
    const customers = customersSeen(seen.exchanges);
    return callsOf(seen, 'getCustomerByName').flatMap((exchange) =>
      isSuccess(exchange) ? observeFound(exchange, customers) : observeRefused(exchange, customers),
    );
  },
};

function observeFound(exchange: Exchange, customers: readonly SeenCustomer[]): Observed[] {
  const customer = foundCustomer(exchange, customers);
  const others = namesakesOf(exchange, customers).filter((other) => other !== customer);
  if (customer === undefined || customer.name !== exchange.call.path.name) return [];
  return others.flatMap((other): Observed[] => {
    const isOldest = isOlder(customer, other);
    if (isOldest === undefined) return [];
    const told = `the ${isOldest ? 'older' : 'younger'} of two customers with the name`;
    return [
      { explainedBy: isOldest ? ['oldest'] : [], evidence: describeExchange(exchange, told) },
    ];
  });
}

function observeRefused(exchange: Exchange, customers: readonly SeenCustomer[]): Observed[] {
  if (exchange.answer.status === 409) {
    return [{ explainedBy: ['conflict'], evidence: describeExchange(exchange) }];
  }
  const isDuplicate = namesakesOf(exchange, customers).length > 1;
  if (!isDuplicate || isOddInPath(exchange.call.path.name ?? '')) return [];
  return [
    { explainedBy: [], evidence: describeExchange(exchange, 'asked for a name of two customers') },
  ];
}

function namesakesOf({ call }: Exchange, customers: readonly SeenCustomer[]) {
  return customers.filter(({ name }) => name === call.path.name);
}

/** Undefined if their instants do not tell. */
function isOlder(one: SeenCustomer, other: SeenCustomer): boolean | undefined {
  const [createdAt, otherCreatedAt] = [instantOf(one.createdAt), instantOf(other.createdAt)];
  if (createdAt === undefined || otherCreatedAt === undefined) return undefined;
  if (createdAt !== otherCreatedAt) return createdAt < otherCreatedAt;
  // Which id is smaller may be a matter of text or of numbers.
  return one.id < other.id ? true : undefined;
}
