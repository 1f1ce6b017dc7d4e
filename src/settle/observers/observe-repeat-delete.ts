import type { DecisionValue } from '../../decisions/ledger.js';
import { isObject, memberOf } from '../../values/json-value.js';
import { isRandom } from '../seen/made-up-values.js';
import {
  idOf,
  instantOf,
  isRefusal,
  isSuccess,
  type Sample,
  type Seen,
  samplesOf,
  successBody,
} from '../seen/samples.js';
import { statusesOfUnknown } from '../seen/seen-customers.js';
import { type Observation, type Observer, sentLater, tell } from './observer.js';

const BY_STATUS: Readonly<Record<number, DecisionValue<'repeat-delete'>>> = {
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
};

/** Compares the deletes of a contract after the first that succeeded with that one (section 3). */
export const repeatDelete: Observer<'repeat-delete'> = {
  wanted: 'a second delete of a contract, and another two seconds later,',
  observe: (seen) => {
    const all = samplesOf(seen, 'deleteContract');
    const ids = new Set(all.map(({ request }) => request.path.contractId));
    return [...ids].flatMap((id) => {
      const deletes = all.filter(({ request }) => request.path.contractId === id);
      const [first, ...repeated] = deletes.slice(deletes.findIndex(isSuccess));
      if (first === undefined || !isSuccess(first)) return [];
      const { items, open } = sentLater(first, repeated, (sample) => sample);
      return items
        .map((sample) => observeRepeated(sample, first, seen))
        .flatMap((observation) => ({ open, ...observation }));
    });
  },
};

function observeRepeated(
  sample: Sample,
  first: Sample,
  seen: Seen,
): Observation<'repeat-delete'> | readonly [] {
  const { status } = sample.response;
  if (isRefusal(sample)) {
    const told = 'deleted again';
    const unknown = statusesOfUnknownContract(seen);
    if (status !== 400 || unknown.length > 0) {
      return tell(
        sample,
        told,
        BY_STATUS[status] ?? (unknown.includes(status) ? 'not-found' : undefined),
      );
    }
    const open = 'an unknown contract may get 400 too';
    return { ...tell(sample, told, 'not-found'), open };
  }
  // A recording may lack the bodies.
  if ([sample, first].some(({ response }) => response.body.kind === 'unknown')) return [];
  if (!isSameContract(sample, first)) return tell(sample, 'another result than the first delete');
  const isExact = /:\d\d:\d\d/.test(String(memberOf(successBody(first)?.contract, 'deletedAt')));
  const open = isExact ? undefined : 'deletedAt is too coarse to show a difference';
  return {
    ...tell(sample, 'the contract as the first delete left it', 'same-result'),
    ...(open && { open }),
  };
}

/** What an unknown contract is refused with; if none was asked for, what an unknown customer is. */
function statusesOfUnknownContract(seen: Seen): readonly number[] {
  const own = samplesOf(seen, 'deleteContract').filter(
    (sample) => isRefusal(sample) && isRandom(String(sample.request.path.contractId)),
  );
  if (own.length > 0) return own.map(({ response }) => response.status);
  // Only this much is likely without: who finds no customers with 400 finds no contracts so.
  return statusesOfUnknown(seen).filter((status) => status !== 404);
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
