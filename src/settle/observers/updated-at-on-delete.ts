import type { DecisionValue } from '../../decisions/ledger.js';
import { instantOf } from '../account-calls.js';
import { recordsOf, type SeenRecord } from '../documented-members.js';
import { describeExchange } from '../evidence.js';
import type { Observer } from '../observation.js';

const MINUTE_MS = 60_000;

const ANY: readonly DecisionValue<'updated-at-on-delete'>[] = ['unchanged', 'deletion-time'];

/** Compares `updatedAt` of what was deleted with `deletedAt` (sections 2.1 and 2.5). */
export const updatedAtOnDelete: Observer<'updated-at-on-delete'> = {
  wanted: 'the deletion of a record that was created earlier',
  needsWrites: true,
  observe: (seen) =>
    recordsOf(seen).flatMap((record) => {
      const told = compare(record.value);
      if (told === undefined) return [];
      const [explainedBy, words] = told;
      return [{ explainedBy, evidence: describeExchange(record.exchange, words) }];
    }),
};

type Told = readonly [explainedBy: typeof ANY, words: string];

/** Undefined if an instant is missing, or if they are too close to tell. */
function compare({ createdAt, updatedAt, deletedAt }: SeenRecord['value']): Told | undefined {
  // Few records of a listing are deleted, and reading instants takes long.
  if (deletedAt === undefined) return undefined;
  const [created, updated, deleted] = [createdAt, updatedAt, deletedAt].map(instantOf);
  if (updated === undefined || deleted === undefined) return undefined;
  if (updated > deleted) return [[], 'updatedAt is after deletedAt'];
  if (updated === deleted) {
    return created === deleted
      ? [ANY, 'createdAt, updatedAt and deletedAt are the same']
      : [['deletion-time'], 'updatedAt is deletedAt'];
  }
  const isEarlier = updated === created || deleted - updated > MINUTE_MS;
  return isEarlier ? [['unchanged'], 'updatedAt is before deletedAt'] : undefined;
}
