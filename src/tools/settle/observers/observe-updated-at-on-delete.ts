import { recordsOf, type SeenRecord } from '../seen/documented-members.js';
import { instantOf } from '../seen/samples.js';
import { isCoarse, type Observer, tell } from './observer.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Compares `updatedAt` of deleted records with `deletedAt` (sections 2.1 and 2.5). */
export const updatedAtOnDelete: Observer<'updated-at-on-delete'> = {
  wanted: 'the deletion of a record that was created earlier',
  observe: (seen) => recordsOf(seen).flatMap(compare),
};

/** Observes nothing if `updatedAt` or `deletedAt` is missing, or if they are too close to tell. */
function compare({ sample, value }: SeenRecord) {
  const { createdAt, updatedAt, deletedAt } = value;
  // Parsing timestamps is slow, and few listed records are deleted.
  if (deletedAt === undefined) return [];
  const [created, updated, deleted] = [createdAt, updatedAt, deletedAt].map(instantOf);
  if (updated === undefined || deleted === undefined) return [];
  // Two clocks, or two SQL statements, may differ a little.
  if (updated - deleted > MINUTE_MS) {
    // A listed record may have changed after its deletion.
    const isListed = sample.request.operationId === 'listMeasurements';
    return isListed ? [] : tell(sample, 'updatedAt is after deletedAt');
  }
  if (updated === deleted) {
    const either = created === deleted ? 'unchanged' : undefined;
    return tell(sample, 'updatedAt is deletedAt', 'deletion-time', either);
  }
  // A smaller difference may be due to a time zone, or to dates without a time.
  if (deleted - updated > DAY_MS) {
    return tell(sample, 'updatedAt is more than a day before deletedAt', 'unchanged');
  }
  const isSame = updated === created && !isCoarse(updatedAt);
  return isSame ? tell(sample, 'updatedAt is createdAt', 'unchanged') : [];
}
