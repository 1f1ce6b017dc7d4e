import type { DecisionValue } from '../../decisions/ledger.js';
import { isObject } from '../../messages/is-object.js';
import { callsOf, instantOf, isNotFound, textOf } from '../account-calls.js';
import { describeExchange } from '../evidence.js';
import { type Exchange, isSuccess, successBody } from '../exchange.js';
import type { Observation, Observer, Seen } from '../observation.js';
import { unknownCustomers } from './unknown-identifier-status.js';

const VALUE_OF: ReadonlyMap<number, DecisionValue<'repeat-delete'>> = new Map([
  [400, 'not-found'],
  [404, 'not-found'],
  [409, 'conflict'],
  [410, 'gone'],
]);

/** Compares the deletes of a contract after the first that succeeded with that one (section 3). */
export const repeatDelete: Observer<'repeat-delete'> = {
  wanted: 'a second delete of a contract',
  needsWrites: true,
  observe: (seen) => {
    const calls = callsOf(seen, 'deleteContract');
    return calls.flatMap((exchange, index) => {
      const first = calls
        .slice(0, index)
        .find((call) => isSuccess(call) && isSamePath(call, exchange));
      return first === undefined ? [] : observeRepeated(exchange, first, seen);
    });
  },
};

function isSamePath({ call }: Exchange, other: Exchange): boolean {
  return call.path.contractId === other.call.path.contractId;
}

function observeRepeated(
  exchange: Exchange,
  first: Exchange,
  seen: Seen,
): Observation<'repeat-delete'>[] {
  const tell = (value: DecisionValue<'repeat-delete'> | undefined, told: string) => [
    { explainedBy: value === undefined ? [] : [value], evidence: describeExchange(exchange, told) },
  ];
  if (!isSuccess(exchange)) {
    const isAsUnknown = unknownCustomers(seen).some(
      (call) => isNotFound(call) && call.answer.status === exchange.answer.status,
    );
    const value = VALUE_OF.get(exchange.answer.status) ?? (isAsUnknown ? 'not-found' : undefined);
    return tell(value, 'deleted for the second time');
  }
  // A recording may lack the bodies.
  if ([exchange, first].some(({ answer }) => answer.body.kind === 'unknown')) return [];
  const [contract, before] = [exchange, first].map((call) => successBody(call)?.contract);
  const isSame = isObject(contract) && isObject(before) && isSameContract(contract, before);
  return tell(
    isSame ? 'same-result' : undefined,
    isSame ? 'the contract as the first delete left it' : 'another result than the first delete',
  );
}

type Contract = Readonly<Record<string, unknown>>;

function isSameContract(contract: Contract, before: Contract): boolean {
  const stamps = ['deletedAt', 'updatedAt'] as const;
  return (
    textOf(contract.id) === textOf(before.id) &&
    stamps.every((name) => instantOf(contract[name]) === instantOf(before[name]))
  );
}
