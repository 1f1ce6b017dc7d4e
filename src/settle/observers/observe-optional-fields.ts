import type { DecisionValue } from '../../decisions/ledger.js';
import { membersOf, recordsOf, type SeenRecord } from '../seen/documented-members.js';
import { describeRequest } from '../seen/evidence.js';
import { idOf } from '../seen/samples.js';
import type { Observer } from './observer.js';

/** A record with the documented members that it has and lacks. */
type View = ReturnType<typeof viewOf>;

/** Fields that no value of the decision removes. */
const KEPT = ['id', 'deletedAt'];

const ENOUGH_BARE_RECORDS = 3;
const ENOUGH_MEMBERS = 20;
const ENOUGH_TO_COMPARE = 50;
const ENOUGH_ALIKE = 10;
/** About half: what is left to chance misses these shares of so many members with certainty. */
const ABOUT_HALF = [0.3, 0.7] as const;
const FEW = 0.1;

/** Counts which documented members records have (section 2.6). */
export const optionalFields: Observer<'optional-fields'> = {
  wanted: 'more records, each seen twice,',
  observe: (seen) => {
    const views = recordsOf(seen).map(viewOf);
    const [first] = views;
    if (first === undefined) return [];
    const all = views.reduce((sum, { members }) => sum + members.length, 0);
    const lacking = views.reduce((sum, { lacks }) => sum + lacks.length, 0);
    const shown = views.find(({ lacks }) => lacks.length > 0) ?? first;
    const told = `${views.length} records lack ${lacking} of ${all} documented members`;
    const evidence = `${describeRequest(shown.record.sample.request)}: ${told}`;
    return [{ explainedBy: explain(views, all, lacking), evidence }];
  },
};

function explain(
  views: readonly View[],
  count: number,
  lacking: number,
): readonly DecisionValue<'optional-fields'>[] {
  const isBare = views.every(({ record }) =>
    Object.keys(record.value).every((name) => KEPT.includes(name)),
  );
  const isEnough = new Set(views.map(({ key }) => key)).size >= ENOUGH_BARE_RECORDS;
  if (isBare) return isEnough ? ['absent'] : ['present', 'absent', 'mixed'];
  const share = lacking / count;
  const isFull =
    lacking === 0 ? count >= ENOUGH_MEMBERS : share < FEW && count >= 2 * ENOUGH_TO_COMPARE;
  if (isFull) return ['present'];
  const [least, most] = ABOUT_HALF;
  const isHalf = count >= ENOUGH_TO_COMPARE && share >= least && share <= most;
  return isHalf && isSameTwice(views) && isLeftToChance(views) ? ['mixed'] : ['present', 'mixed'];
}

function viewOf(record: SeenRecord) {
  const { value, place, envelope } = record;
  const members = membersOf(value, place).filter(
    ({ pointer }) => !KEPT.some((name) => pointer === `/${name}`),
  );
  const lacks = members.filter(({ isPresent }) => !isPresent).map(({ pointer }) => pointer);
  return { record, key: `${envelope.replace(/s$/, '')} ${idOf(value.id) ?? ''}`, members, lacks };
}

/** True if a record was seen in two responses, and all that were lack the same each time. */
function isSameTwice(views: readonly View[]): boolean {
  const lacksOf = new Map<string, string[]>();
  for (const { key, lacks } of views) lacksOf.set(key, [...(lacksOf.get(key) ?? []), lacks.join()]);
  const seenTwice = [...lacksOf.values()].filter(({ length }) => length > 1);
  return seenTwice.length > 0 && seenTwice.every((lacks) => new Set(lacks).size === 1);
}

/**
 * True if every field of some kind of record is present in some and missing from others: fields that
 * simply have no value are always the same few, and never `createdAt`.
 */
function isLeftToChance(views: readonly View[]): boolean {
  const kinds = new Set(views.map(({ record }) => record.envelope));
  return [...kinds].some((kind) => {
    const alike = views.filter(({ record }) => record.envelope === kind);
    if (new Set(alike.map(({ key }) => key)).size < ENOUGH_ALIKE) return false;
    const fields = alike.flatMap(({ members }) =>
      members.filter(({ pointer }) => pointer.lastIndexOf('/') === 0),
    );
    const [present, missing] = [true, false].map(
      (is) =>
        new Set(fields.filter(({ isPresent }) => isPresent === is).map(({ pointer }) => pointer)),
    );
    const all = new Set(fields.map(({ pointer }) => pointer));
    return present?.size === all.size && missing?.size === all.size;
  });
}
