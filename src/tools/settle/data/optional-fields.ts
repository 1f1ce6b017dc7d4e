import { NEVER_REMOVED } from '#spec';
import { isObject, memberOf } from '../../../core/values/json-value.js';
import { count as plural } from '../../../core/values/plural.js';
import { describeRequest } from '../seen/evidence.js';
import { idOf } from '../seen/samples.js';
import { recordsOf, type SeenRecord, walk } from './documented-members.js';
import type { Observation, SeenData } from './observation.js';

/** A record with its documented members, and the pointers to those that are missing or null. */
type View = ReturnType<typeof viewOf>;

type Value = string;

const ENOUGH_BARE_RECORDS = 3;
const ENOUGH_MEMBERS = 20;
const ENOUGH_TO_COMPARE = 50;
const ENOUGH_ALIKE = 10;
/** Bounds of "about half": random omission practically never falls outside them. */
const ABOUT_HALF = [0.3, 0.7] as const;
const FEW = 0.1;

/** Counts which documented members the records of each kind have (section 2.6). */
export function optionalFields(seen: SeenData): readonly Observation[] {
  const views = recordsOf(seen).map(viewOf);
  const [first] = views;
  if (first === undefined) return [];
  const tallies = talliesOf(views);
  // A member that all records lack may just have no value; one that is always null is reported.
  const partial = tallies.filter(({ isNull, count, of }) => isNull || count < of);
  const isNever = partial.some(
    (tally) => tally.count === tally.of && recordsLacking(tally, views) >= ENOUGH_ALIKE,
  );
  const all = views.reduce((sum, { members }) => sum + members.length, 0);
  const lacking = views.reduce((sum, { lacks }) => sum + lacks.length, 0);
  const told = `${plural(views.length, 'record')} without ${lacking} of ${all} documented members`;
  const shown = views.find(({ lacks }) => lacks.length > 0) ?? first;
  const inWords = partial.map(({ isNull, pointer, count, of }) => {
    return `${pointer} is ${isNull ? 'null' : 'missing'} in ${count} of ${of}`;
  });
  return [
    {
      // No value of the decision describes a member that is always null.
      explainedBy: isNever ? [] : explain(views, all, lacking, partial),
      evidence: `${describeRequest(shown.record.sample.request)}: ${[told, ...inWords].join('; ')}`,
      samples: views.map(({ record }) => record.sample),
    },
  ];
}

function explain(
  views: readonly View[],
  all: number,
  lacking: number,
  partial: readonly Tally[],
): readonly Value[] {
  const isBare = views.every(({ record }) =>
    Object.keys(record.value).every((name) => NEVER_REMOVED.includes(name)),
  );
  const isEnough = new Set(views.map(({ key }) => key)).size >= ENOUGH_BARE_RECORDS;
  if (isBare) return isEnough ? ['absent'] : ['present', 'absent', 'mixed'];
  const isKindBare = byKind(views).some((alike) =>
    alike.every(({ members, lacks }) => members.length > 0 && lacks.length === members.length),
  );
  if (isKindBare) return ['present', 'absent', 'mixed'];
  const share = lacking / all;
  const [least, most] = ABOUT_HALF;
  const isHalf = all >= ENOUGH_TO_COMPARE && share >= least && share <= most;
  const hasNull = partial.some(({ isNull }) => isNull);
  if (isHalf && !hasNull && isSameTwice(views) && isLeftToChance(views)) return ['mixed'];
  const isFew = all >= 2 * ENOUGH_TO_COMPARE && share < least;
  if (partial.length > 0) {
    const named = partial.map(({ name }) => name).join(',');
    const isInSome = partial.every(({ count, of }) => count < of);
    return isFew && isInSome && isSameInAll(views) ? [named] : [named, 'mixed'];
  }
  const isFull =
    lacking === 0 ? all >= ENOUGH_MEMBERS : share < FEW && all >= 2 * ENOUGH_TO_COMPARE;
  return isFull ? ['present'] : ['present', 'mixed'];
}

function viewOf(record: SeenRecord) {
  const members: { readonly pointer: string; readonly isPresent: boolean }[] = [];
  const lacks: string[] = [];
  walk(record.place, record.value, ({ place, value }) => {
    for (const name of isObject(value) ? place.listed : []) {
      const { pointer = '' } = place.below(name) ?? {};
      if (NEVER_REMOVED.some((one) => pointer === `/${one}`)) continue;
      const isPresent = Object.hasOwn(Object(value), name);
      members.push({ pointer, isPresent });
      if (memberOf(value, name) === null) lacks.push(`${pointer}=null`);
      else if (!isPresent) lacks.push(pointer);
    }
  });
  const key = `${record.envelope.replace(/s$/, '')} ${idOf(record.value.id) ?? ''}`;
  return { record, key, members, lacks };
}

/** How often a member was missing or null, and how often it was expected. */
type Tally = ReturnType<typeof talliesOf>[number];

function talliesOf(views: readonly View[]) {
  const counts = new Map<string, number>();
  const ofAll = new Map<string, number>();
  for (const { record, members, lacks } of views) {
    const add = (to: Map<string, number>) => (below: string) =>
      to.set(record.pointer + below, (to.get(record.pointer + below) ?? 0) + 1);
    members.map(({ pointer }) => pointer).forEach(add(ofAll));
    lacks.forEach(add(counts));
  }
  return [...counts].sort().map(([name, count]) => {
    const pointer = name.replace(/=null$/, '');
    return { name, pointer, isNull: name !== pointer, count, of: ofAll.get(pointer) ?? count };
  });
}

/** The number of different records in which this member was missing or null. */
function recordsLacking({ name }: Tally, views: readonly View[]): number {
  const lacking = views.filter(({ record, lacks }) =>
    lacks.some((below) => record.pointer + below === name),
  );
  return new Set(lacking.map(({ key }) => key)).size;
}

/** For each record, what it lacked each time it was seen. */
function lacksByRecord(views: readonly View[]): readonly (readonly string[])[] {
  const lacksOf = new Map<string, string[]>();
  for (const { key, lacks } of views) lacksOf.set(key, [...(lacksOf.get(key) ?? []), lacks.join()]);
  return [...lacksOf.values()];
}

function isSameInAll(views: readonly View[]): boolean {
  return lacksByRecord(views).every((lacks) => new Set(lacks).size === 1);
}

/** True if some record was seen twice, and each lacked the same members every time. */
function isSameTwice(views: readonly View[]): boolean {
  return lacksByRecord(views).some(({ length }) => length > 1) && isSameInAll(views);
}

/**
 * True if, for some kind of record, each top-level field is present in some, missing from others.
 * Fields that merely have no value are always the same few, and never include `createdAt`.
 */
function isLeftToChance(views: readonly View[]): boolean {
  return byKind(views).some((alike) => {
    if (new Set(alike.map(({ key }) => key)).size < ENOUGH_ALIKE) return false;
    const fields = alike.flatMap(({ members }) =>
      members.filter(({ pointer }) => pointer.lastIndexOf('/') === 0),
    );
    const countOf = (some: typeof fields) => new Set(some.map(({ pointer }) => pointer)).size;
    return [true, false].every(
      (is) => countOf(fields.filter(({ isPresent }) => isPresent === is)) === countOf(fields),
    );
  });
}

function byKind(views: readonly View[]): readonly (readonly View[])[] {
  const kinds = new Set(views.map(({ record }) => record.envelope));
  return [...kinds].map((kind) => views.filter(({ record }) => record.envelope === kind));
}
