import { CUSTOMER_SOURCES } from '#spec';
import { valueAt } from '../../../core/values/json-value.js';
import { cut } from '../../../core/values/received-value.js';
import { recordsOf, type SeenRecord } from '../seen/documented-members.js';
import { type Observer, tell } from './observer.js';

const LONGEST = 60;

/** A field with an open list of values: those of `documented`, and those that `varied` adds. */
interface OpenField {
  readonly name: string;
  /** How pointers to the field end; for fields of a product, the pointer within it. */
  readonly pointer: string;
  readonly documented: readonly string[];
  readonly varied: readonly string[];
}

const SOURCE: OpenField = {
  name: 'source',
  pointer: '/customer/source',
  documented: CUSTOMER_SOURCES,
  varied: [],
};

const OF_PRODUCT: readonly OpenField[] = [
  {
    name: 'duration.unit',
    pointer: '/scheduling/duration/unit',
    documented: ['MONTH'],
    varied: ['DAY', 'WEEK', 'YEAR'],
  },
  {
    name: 'pricing.type',
    pointer: '/pricing/type',
    documented: ['ONE_TIME'],
    varied: ['SUBSCRIPTION', 'TIERED', 'PER_UNIT', 'CONTRACT_TERMS'],
  },
];

/** The fields whose values the specification does not list completely (section 2.6). */
export const OPEN_FIELDS: readonly OpenField[] = [SOURCE, ...OF_PRODUCT];

/** Compares `source`, `duration.unit` and `pricing.type` with the known values (section 2.6). */
export const enumValues: Observer<'enum-values'> = {
  wanted: 'a contract whose products have other units or types',
  observe: (seen) => {
    const observed = recordsOf(seen).flatMap((record) =>
      openValuesOf(record).flatMap(([field, value]) =>
        typeof value === 'string' ? [{ field, ...observeValue(record, field, value) }] : [],
      ),
    );
    const unseen = OPEN_FIELDS.filter((open) => !observed.some(({ field }) => field === open));
    const names = unseen.map(({ name }) => name).join(' and ');
    return observed.map(({ field: _, ...observation }) => ({
      ...observation,
      // What one field shows does not settle the others.
      open: names === '' ? undefined : `no ${names} was seen`,
    }));
  },
};

function observeValue(
  { sample }: SeenRecord,
  { name, documented, varied }: OpenField,
  value: string,
) {
  const told = `${name} is ${cut(value, LONGEST)}`;
  if (documented.includes(value)) return tell(sample, told, 'documented', 'varied');
  return tell(sample, told, varied.includes(value) ? 'varied' : 'unfamiliar');
}

function openValuesOf({ value, envelope }: SeenRecord): readonly (readonly [OpenField, unknown])[] {
  if (envelope === 'customer') return [[SOURCE, value.source]];
  const products: readonly unknown[] = Array.isArray(value.products) ? value.products : [];
  return products.flatMap((product) =>
    OF_PRODUCT.map((field) => [field, valueAt(product, field.pointer)] as const),
  );
}
