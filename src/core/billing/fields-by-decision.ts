import type { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';
import { CUSTOMER_SOURCES, type DecisionValue } from '../decisions/ledger.js';
import { hash } from '../store/hash.js';
import { isObject } from '../values/json-value.js';

/** Returns what the client sees of a record; `pointer` is its place in the body. */
type Variation = (record: object, pointer: string) => object;

/**
 * Varies the records in the body of a success as the decisions say: missing fields, unknown values,
 * undocumented members (sections 2 and 2.6). The same record always varies the same way.
 */
export function varyFields<Body extends object>(
  body: Body,
  decisions: DecisionsBehindResponse,
): Body {
  const variations = [
    ENUM_VALUES[decisions.apply('enum-values')],
    optionalFields(optionalFieldsOf(decisions)),
    UNDOCUMENTED_FIELDS[decisions.apply('undocumented-fields')],
  ].filter((variation) => variation !== unchanged);
  if (variations.length === 0) return body;
  const vary = (record: object, pointer: string) =>
    variations.reduce((varied, change) => change(varied, pointer), record);
  const members = Object.entries(body).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((record) => vary(record, `/${name}/*`))];
    return [name, isObject(value) ? vary(value, `/${name}`) : value];
  });
  // The members are the same, but `fromEntries` loses their types.
  return Object.fromEntries(members) as Body;
}

/** A keyword such as `mixed`, or pointers to fields: `=null` at the end makes a field null. */
export const optionalFieldsOf = (decisions: DecisionsBehindResponse) =>
  decisions.apply('optional-fields').split(',');

const unchanged: Variation = (record) => record;

/** Fields of a record that no value of `optional-fields` removes or makes null. */
export const NEVER_REMOVED = ['id', 'deletedAt'];

function optionalFields(names: readonly string[]): Variation {
  return OPTIONAL_FIELDS[names.join()] ?? lackingSome(names);
}

/** Omits the members at these pointers, or makes them null, in about half of the records. */
function lackingSome(names: readonly string[]): Variation {
  return (record, pointer) =>
    walk(record, (path, value) => {
      if (NEVER_REMOVED.includes(path)) return value;
      const name = `${pointer}/${path.replaceAll(/\/\d+(?=\/)/g, '/*')}`;
      const isDrawn = (what: string) => draw(record, what, path) % 2 === 1;
      if (names.includes(name) && isDrawn('field')) return undefined;
      return names.includes(`${name}=null`) && isDrawn('null') ? null : value;
    });
}

const OPTIONAL_FIELDS: Readonly<Record<string, Variation>> = {
  present: unchanged,
  absent: (record) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => NEVER_REMOVED.includes(name))),
  mixed: (record) =>
    walk(record, (path, value) => {
      const isKept = NEVER_REMOVED.includes(path) || draw(record, 'field', path) % 2 === 0;
      return isKept ? value : undefined;
    }),
};

/** Plausible values of fields whose list of values is open, by the end of their paths. */
export const FAMILIAR_VALUES: Readonly<Record<string, readonly string[]>> = {
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
  documented: unchanged,
  varied: (record) => redraw(record, FAMILIAR_VALUES),
  unfamiliar: (record) => redraw(record, UNFAMILIAR),
};

const UNDOCUMENTED_FIELDS: Record<DecisionValue<'undocumented-fields'>, Variation> = {
  none: unchanged,
  extra: (record) => ({
    ...record,
    undocumentedText: 'not in the document',
    undocumentedObject: { nested: [1, true, null] },
  }),
};

function redraw(record: object, table: Readonly<Record<string, readonly string[]>>): object {
  return walk(record, (path, value) => {
    const field = Object.keys(table).find((name) => path === name || path.endsWith(`/${name}`));
    const values = field === undefined ? [] : (table[field] ?? []);
    return values.length > 0 ? values[draw(record, 'value', path) % values.length] : value;
  });
}

/**
 * Replaces the members of a record, nested ones too, but none within `data`; `undefined` removes a
 * member.
 */
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

/** A number that depends only on `what`, the id of the record and the path. */
function draw(record: object, what: string, path: string): number {
  // Every record of a response has an id.
  const { id } = record as { readonly id: string };
  return hash(what, id, path);
}
