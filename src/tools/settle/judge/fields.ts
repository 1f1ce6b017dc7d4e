import { type DecisionId, NEVER_REMOVED } from '#spec';
import { isObject, memberOf, pointerTo } from '../../../core/values/json-value.js';
import {
  recordsOf,
  type SeenData,
  type SeenRecord,
  successPlaceOf,
  unlistedIn,
  walk,
} from '../seen/documented-members.js';
import { idOf, isOfAccount, type Sample, successBody } from '../seen/samples.js';
import type { Table } from './table.js';

const ENOUGH_BARE_RECORDS = 3;
const ENOUGH_MEMBERS = 20;
/** Of so many members, records that lack less than this share lack them for want of a value. */
const ENOUGH_TO_COMPARE = 100;
const FEW = 0.3;
const MOST = 0.1;
/** Fields that half of the records lack, at random, would not all be in so many records. */
const ENOUGH_WITH_A_FIELD = 15;
/** The most members of one sample to look at: a service may use data as names. */
const MAX_MEMBERS = 100;

/** Reads from records which documented members they lack, and which others they have (section 2.6). */
export function fields(seen: SeenData): readonly (readonly [DecisionId, Table])[] {
  const records = recordsOf(seen);
  return [
    ['optional-fields', optionalFields(records)],
    ['undocumented-fields', undocumentedFields(seen, records)],
  ];
}

/** A member that all records lack may just have no value. */
function optionalFields(records: readonly SeenRecord[]): Table {
  const views = records.map(viewOf);
  const isInSome = (name: string) =>
    views.some(({ has, lacks }) => has.includes(pointerOf(name)) && !lacks.includes(name));
  const isNull = (name: string) => pointerOf(name) !== name;
  const rows = views.map((view) => ({
    ...view,
    lacks: view.lacks.filter((name) => isInSome(name) || isNull(name)),
  }));
  const all = views.reduce((sum, { has }) => sum + has.length, 0);
  const lacking = rows.reduce((sum, { lacks }) => sum + lacks.length, 0);
  const named = [...new Set(rows.flatMap(({ lacks }) => lacks))].sort();
  const lacksOf = new Map(rows.map(({ key, lacks }) => [key, String(lacks)]));
  const isSame = rows.every(({ key, lacks }) => lacksOf.get(key) === String(lacks));
  const isBare = rows.every(({ bare }) => bare);
  const lacked = new Set(views.flatMap(({ lacks }) => lacks.map(pointerOf)));
  const isRandom = [...new Set(views.flatMap(({ has }) => has))].every((pointer) => {
    const keys = views.flatMap(({ has, key }) => (has.includes(pointer) ? key : []));
    return lacked.has(pointer) || new Set(keys).size < ENOUGH_WITH_A_FIELD;
  });
  const isFew =
    all >= ENOUGH_TO_COMPARE && lacking < FEW * all && named.every(isInSome) && isSame && !isRandom;
  const unshown = views.reduce((sum, { lacks }) => sum + lacks.length, 0);
  const isMost =
    unshown === 0 ? all >= ENOUGH_MEMBERS : all >= ENOUGH_TO_COMPARE && unshown < MOST * all;
  const isEnough = isBare
    ? lacksOf.size >= ENOUGH_BARE_RECORDS
    : named.length === 0
      ? isMost
      : isFew;
  const values = ['present', 'absent', ...(isBare || named.length === 0 ? [] : [named.join()])];
  return {
    values,
    rows: rows.map(({ sample: one, lacks, bare }) => ({
      ...{
        seen: one,
        isTelling: true,
        told: lacks.length === 0 ? 'with all fields' : `without ${lacks.join(', ')}`,
      },
      cells: values.map((value) => {
        const isSo =
          value === 'absent' ? bare : !bare && (value !== 'present' || lacks.length === 0);
        return isSo ? 'match' : 'miss';
      }),
    })),
    open: isEnough
      ? undefined
      : 'Too few records were seen, or one of them did not always have the same fields.',
    unseen: 'No record was seen.',
  };
}

const pointerOf = (name: string) => name.replace(/=null$/, '');

function viewOf(record: SeenRecord) {
  const has: string[] = [];
  const lacks: string[] = [];
  walk(record.place, record.value, ({ place, value }) => {
    for (const name of isObject(value) ? place.listed : []) {
      const { pointer = '' } = place.below(name) ?? {};
      if (NEVER_REMOVED.some((one) => pointer === `/${one}`)) continue;
      const whole = record.pointer + pointer;
      has.push(whole);
      if (memberOf(value, name) === null) lacks.push(`${whole}=null`);
      else if (!Object.hasOwn(Object(value), name)) lacks.push(whole);
    }
  });
  return {
    ...{ has, lacks, sample: record.sample },
    key: `${record.envelope.replace(/s$/, '')} ${idOf(record.value.id) ?? ''}`,
    bare: Object.keys(record.value).every((name) => NEVER_REMOVED.includes(name)),
  };
}

function undocumentedFields(seen: SeenData, records: readonly SeenRecord[]): Table {
  const unlisted = seen.samples
    .filter(isOfAccount)
    .map((one) => ({ seen: one, pointers: unlistedPointersIn(one, seen) }))
    .filter(({ pointers }) => pointers.length > 0);
  const shown =
    unlisted.length > 0 ? unlisted : records.map((one) => ({ seen: one.sample, pointers: [] }));
  return {
    rows: shown.map(({ seen: one, pointers }) => {
      // The name of a member may be data, such as an e-mail address.
      const named = pointers.find((pointer) => /^[\w*/-]{1,100}$/.test(pointer)) ?? 'a member';
      const isExtra = pointers.length > 0;
      return {
        seen: one,
        cells: isExtra ? ['miss', 'match'] : ['match', 'miss'],
        told: isExtra ? `${named} is not in the document` : 'only members of the document',
      };
    }),
    unseen: 'No record was seen.',
  };
}

function unlistedPointersIn(sample: Sample, { document }: SeenData): readonly string[] {
  const unlisted = new Set<string>();
  const place = successPlaceOf(sample.request.operationId, document);
  walk(place, successBody(sample) ?? {}, (described) => {
    for (const name of unlistedIn(described).slice(0, MAX_MEMBERS - unlisted.size)) {
      unlisted.add(`${described.place.pointer}${pointerTo(name)}`);
    }
  });
  return [...unlisted];
}
