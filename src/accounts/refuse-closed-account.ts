import type { Bases } from '../billing/account-store.js';
import { ProblemError } from '../errors/problem-error.js';
import type { Base } from '../store/base.js';

/** What replaces the dataset of a closed account: using it throws, so that no write is lost. */
export const CLOSED_BASES: Bases = {
  name: 'closed',
  fingerprint: 'closed',
  customers: closedBase(),
  contracts: closedBase(),
  measurements: closedBase(),
  events: closedBase(),
};

function closedBase<T>(): Base<T> {
  return {
    size: 0,
    indexes: {},
    get: refuse,
    find: refuse,
    from: refuse,
    after: refuse,
    countUpTo: refuse,
    summing: refuse,
    [Symbol.iterator]: refuse,
  };
}

function refuse(): never {
  throw new ProblemError(
    'conflict',
    'The account was closed; expected one that is open. Get the account of the token again.',
  );
}
