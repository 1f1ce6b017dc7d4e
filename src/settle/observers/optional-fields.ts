import type { DecisionValue } from '../../decisions/ledger.js';
import { textOf } from '../account-calls.js';
import { type Member, membersOf, recordsOf, type SeenRecord } from '../documented-members.js';
import { describeCall } from '../evidence.js';
import type { Observer } from '../observation.js';

/** A record with the documented members that it has and lacks. */
interface View {
  readonly record: SeenRecord;
  readonly key: string;
  readonly members: readonly Member[];
  readonly lacks: readonly string[];
}

/** Fields that no value of the decision removes. */
const KEPT = ['id', 'deletedAt'];
const KEPT_POINTERS = KEPT.map((name) => `/${name}`);

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
    const members = views.flatMap((view) => view.members);
    const lacking = members.filter(({ isPresent }) => !isPresent).length;
    const shown = views.find(({ lacks }) => lacks.length > 0) ?? first;
    const told = `${views.length} records lack ${lacking} of ${members.length} documented members`;
    return [
      {
        explainedBy: explain(views, members.length, lacking),
        evidence: `${describeCall(shown.record.exchange.call)}: ${told}`,
      },
    ];
  },
};

const ANY: readonly DecisionValue<'optional-fields'>[] = ['present', 'absent', 'mixed'];

function explain(
  views: readonly View[],
  count: number,
  lacking: number,
): readonly DecisionValue<'optional-fields'>[] {
  const isBare = views.every(({ record }) =>
    Object.keys(record.value).every((name) => KEPT.includes(name)),
  );
  if (isBare)
    return new Set(views.map(({ key }) => key)).size < ENOUGH_BARE_RECORDS ? ANY : ['absent'];
  const share = lacking / count;
  const isFull =
    lacking === 0 ? count >= ENOUGH_MEMBERS : share < FEW && count >= 2 * ENOUGH_TO_COMPARE;
  if (isFull) return ['present'];
  const [least, most] = ABOUT_HALF;
  const isHalf = count >= ENOUGH_TO_COMPARE && share >= least && share <= most;
  return isHalf && isSameTwice(views) && isLeftToChance(views) ? ['mixed'] : ['present', 'mixed'];
}

function viewOf(record: SeenRecord): View {
  const members = membersOf(record.value, record.place).filter(
    ({ pointer }) => !KEPT_POINTERS.includes(pointer),
  );
  return {
    record,
    key: `${record.envelope.replace(/s$/, '')} ${textOf(record.value.id) ?? ''}`,
    members,
    lacks: members.filter(({ isPresent }) => !isPresent).map(({ pointer }) => pointer),
  };
}

/** True if a record was seen in two answers, and all that were lack the same each time. */
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
    const present = pointersOf(fields, true);
    const missing = pointersOf(fields, false);
    return new Set([...present, ...missing]).size === present.size && present.size === missing.size;
  });
}

function pointersOf(members: readonly Member[], isPresent: boolean): ReadonlySet<string> {
  return new Set(
    members.filter((member) => member.isPresent === isPresent).map(({ pointer }) => pointer),
  );
}
