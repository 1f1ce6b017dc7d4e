import type { DecisionValue } from '../../decisions/ledger.js';
import { isObject } from '../../values/json-value.js';
import {
  idOf,
  instantOf,
  isSuccess,
  type Sample,
  type Seen,
  samplesOf,
  successBody,
} from '../seen/samples.js';
import { statusesOfUnknown } from '../seen/seen-customers.js';
import { mayLinger, type Observer, tell } from './observer.js';

const BY_STATUS: Readonly<Record<number, DecisionValue<'repeat-delete'>>> = {
  400: 'not-found',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
};

/** Compares the deletes of a contract after the first that succeeded with that one (section 3). */
export const repeatDelete: Observer<'repeat-delete'> = {
  wanted: 'a second delete of a contract',
  observe: (seen) => {
    const all = samplesOf(seen, 'deleteContract');
    const ids = new Set(all.map(({ request }) => request.path.contractId));
    return [...ids].flatMap((id) => {
      const deletes = all.filter(({ request }) => request.path.contractId === id);
      const start = deletes.findIndex(isSuccess);
      const first = deletes[start];
      const repeated = deletes.slice(start + 1);
      if (first === undefined) return [];
      // A service may find what it has deleted for a moment: then it is refused later.
      const last = repeated.at(-1);
      const settledOnes =
        last && !isSuccess(last) ? repeated.filter((one) => !isSuccess(one)) : repeated;
      const open = last && isSuccess(last) ? mayLinger(first, last) : undefined;
      return settledOnes
        .flatMap((sample) => observeRepeated(sample, first, seen))
        .map((observation) => ({ ...observation, open }));
    });
  },
};

function observeRepeated(sample: Sample, first: Sample, seen: Seen) {
  if (!isSuccess(sample)) {
    const { status } = sample.response;
    const asUnknown = statusesOfUnknown(seen).includes(status) ? 'not-found' : undefined;
    return tell(sample, 'deleted again', BY_STATUS[status] ?? asUnknown);
  }
  // A recording may lack the bodies.
  if ([sample, first].some(({ response }) => response.body.kind === 'unknown')) return [];
  return isSameContract(sample, first)
    ? tell(sample, 'the contract as the first delete left it', 'same-result')
    : tell(sample, 'another result than the first delete');
}

function isSameContract(...deletes: readonly [Sample, Sample]): boolean {
  const [contract, before] = deletes.map((sample) => successBody(sample)?.contract);
  return (
    isObject(contract) &&
    isObject(before) &&
    idOf(contract.id) === idOf(before.id) &&
    instantOf(contract.deletedAt) === instantOf(before.deletedAt) &&
    instantOf(contract.updatedAt) === instantOf(before.updatedAt)
  );
}
