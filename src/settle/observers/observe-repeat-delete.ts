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
import { type Observer, tell } from './observer.js';

const BY_STATUS: Readonly<Record<number, DecisionValue<'repeat-delete'>>> = {
  400: 'not-found',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
};

/** Compares the deletes of a contract after the first that succeeded with that one (section 3). */
export const repeatDelete: Observer<'repeat-delete'> = {
  wanted: 'a second delete of a contract',
  observe: (seen) =>
    samplesOf(seen, 'deleteContract').flatMap((sample, index, all) => {
      const { contractId } = sample.request.path;
      const first = all
        .slice(0, index)
        .find((one) => isSuccess(one) && one.request.path.contractId === contractId);
      return first === undefined ? [] : observeRepeated(sample, first, seen);
    }),
};

function observeRepeated(sample: Sample, first: Sample, seen: Seen) {
  if (!isSuccess(sample)) {
    const { status } = sample.response;
    const asUnknown = statusesOfUnknown(seen).includes(status) ? 'not-found' : undefined;
    return tell(sample, 'deleted for the second time', BY_STATUS[status] ?? asUnknown);
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
