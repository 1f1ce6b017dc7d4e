import type { DecisionValue } from '#spec';
import { isObject } from '../../../core/values/json-value.js';
import { isRandom } from '../seen/made-up-values.js';
import {
  idOf,
  instantOf,
  isRefusal,
  isSuccess,
  isWithoutEnvelope,
  type Sample,
  type Seen,
  samplesOf,
  successBody,
} from '../seen/samples.js';
import { COARSE, isCoarse, type Observation, type Observer, sentLater, tell } from './observer.js';

const BY_STATUS: Readonly<Record<number, DecisionValue<'repeat-delete'>>> = {
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
};

/** Compares later deletes of a contract with the first that succeeded (section 3). */
export const repeatDelete: Observer<'repeat-delete'> = {
  wanted: 'a second delete of a contract, and another two seconds later,',
  observe: (seen) => {
    const all = samplesOf(seen, 'deleteContract');
    const ids = new Set(all.map(({ request }) => request.path.contractId));
    const observations = [...ids].flatMap((id): readonly Observation<'repeat-delete'>[] => {
      const deletes = all.filter(({ request }) => request.path.contractId === id);
      const [first, ...repeated] = deletes.slice(deletes.findIndex(isSuccess));
      if (first === undefined || !isSuccess(first)) return [];
      // What came once instead of a contract may have come from somewhere else.
      const isOnce = repeated.filter(isWithoutEnvelope).length === 1;
      const told = repeated.flatMap((sample) =>
        [observeRepeated(sample, first, seen)].flat().map((one) => ({ ...one, first })),
      );
      return sentLater(told).map((one) =>
        isOnce && one.samples.some(isWithoutEnvelope) ? { ...one, isDoubtful: true } : one,
      );
    });
    const isLater = observations.some(({ isDoubtful }) => isDoubtful === false);
    // Where only one contract was deleted again later, what came earlier says less.
    return observations.map((one) => ({
      ...one,
      isDoubtful: isLater && one.isDoubtful !== false,
      kind: 'delete',
    }));
  },
};

function observeRepeated(
  sample: Sample,
  first: Sample,
  seen: Seen,
): Observation<'repeat-delete'> | readonly [] {
  const { status } = sample.response;
  if (isRefusal(sample)) {
    const unknown = statusesOfUnknownContract(seen);
    if (status === 400 || status === 422) {
      const isDistinct = unknown.length > 0 && !unknown.includes(status);
      const open = isDistinct ? undefined : `an unknown contract may get ${status} too`;
      return { ...tell(sample, 'deleted again', isDistinct ? undefined : 'not-found'), open };
    }
    return tell(sample, 'deleted again', BY_STATUS[status]);
  }
  // A recording may lack the bodies.
  if ([sample, first].some(({ response }) => response.body.kind === 'unknown')) return [];
  if (!isSameContract(sample, first))
    return tell(sample, 'a different result from the first delete');
  const { deletedAt } = Object(successBody(first)?.contract);
  const open = isCoarse(deletedAt) ? COARSE : undefined;
  return { ...tell(sample, 'the contract as the first delete left it', 'same-result'), open };
}

function statusesOfUnknownContract(seen: Seen): readonly number[] {
  return samplesOf(seen, 'deleteContract')
    .filter((sample) => isRefusal(sample) && isRandom(String(sample.request.path.contractId)))
    .map(({ response }) => response.status);
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
