import type { AppliedDecisions } from '../decisions/applied-decisions.js';
import { CUSTOMER_SOURCES } from '../decisions/customer-sources.js';
import type { DecisionValue } from '../decisions/ledger.js';
import { hash } from '../store/hash.js';

/** Makes of one record of an answer what a client shall see. */
type Variation = (record: object) => object;

/**
 * The body of a success as the decisions have its records look: fields of unknown requiredness,
 * unknown values, unlisted members (sections 2 and 2.6). The same record always looks the same.
 */
export function varyAnswer<Body extends object>(body: Body, decisions: AppliedDecisions): Body {
  const variations = [
    ENUM_VALUES[decisions.apply('enum-values')],
    OPTIONAL_FIELDS[decisions.apply('optional-fields')],
    UNDOCUMENTED_FIELDS[decisions.apply('undocumented-fields')],
  ].filter((variation) => variation !== asItIs);
  if (variations.length === 0) return body;
  const vary = (record: object) => variations.reduce((varied, change) => change(varied), record);
  const members = Object.entries(body).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map(vary)];
    return [name, isObject(value) ? vary(value) : value];
  });
  // The same members; `fromEntries` forgets their names.
  return Object.fromEntries(members) as Body;
}

const asItIs: Variation = (record) => record;

/** What is never taken away: the id, and the stamp that says that a deletion was done. */
const KEPT = ['id', 'deletedAt'];

const OPTIONAL_FIELDS: Record<DecisionValue<'optional-fields'>, Variation> = {
  present: asItIs,
  absent: (record) => pick(record, (name) => KEPT.includes(name)),
  mixed: (record) =>
    walk(record, (path, value) => {
      const isKept = KEPT.includes(path) || draw(record, 'field', path) % 2 === 0;
      return isKept ? value : undefined;
    }),
};

/** The fields whose values are not known, each with those it takes. */
const FAMILIAR: Readonly<Record<string, readonly string[]>> = {
  source: CUSTOMER_SOURCES,
  'duration/unit': ['MONTH', 'DAY', 'WEEK', 'YEAR'],
  'pricing/type': ['ONE_TIME', 'SUBSCRIPTION', 'TIERED', 'PER_UNIT', 'CONTRACT_TERMS'],
};

const UNFAMILIAR: Readonly<Record<string, readonly string[]>> = {
  source: ['Unfamiliar'],
  'duration/unit': ['FORTNIGHT'],
  'pricing/type': ['UNFAMILIAR'],
};

const ENUM_VALUES: Record<DecisionValue<'enum-values'>, Variation> = {
  documented: asItIs,
  varied: (record) => redraw(record, FAMILIAR),
  unfamiliar: (record) => redraw(record, UNFAMILIAR),
};

const UNDOCUMENTED_FIELDS: Record<DecisionValue<'undocumented-fields'>, Variation> = {
  none: asItIs,
  extra: (record) => ({
    ...record,
    undocumentedText: 'not in the document',
    undocumentedObject: { nested: [1, true, null] },
  }),
};

/** The record with other values in the fields of the table. */
function redraw(record: object, table: Readonly<Record<string, readonly string[]>>): object {
  return walk(record, (path, value) => {
    const field = Object.keys(table).find((name) => path === name || path.endsWith(`/${name}`));
    const values = field === undefined ? [] : (table[field] ?? []);
    return values.length > 0 ? values[draw(record, 'value', path) % values.length] : value;
  });
}

/** The record with each member replaced, or taken away if it comes back as nothing. */
function walk(record: object, replace: (path: string, value: unknown) => unknown): object {
  const within = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => within(item, `${path}/${index}`));
    if (!isObject(value) || path === 'data') return value;
    const members = Object.entries(value).map(([name, member]) => {
      const place = path === '' ? name : `${path}/${name}`;
      const replaced = replace(place, member);
      return [name, replaced === member ? within(member, place) : replaced];
    });
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  return within(record, '') as object;
}

function pick(record: object, isPicked: (name: string) => boolean): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isPicked(name)));
}

/** A number that depends on the record and the place in it alone. */
function draw(record: object, what: string, path: string): number {
  // Every record of an answer has an id.
  const { id } = record as { readonly id: string };
  return hash(what, id, path);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
