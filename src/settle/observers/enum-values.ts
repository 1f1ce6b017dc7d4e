import { CUSTOMER_SOURCES } from '../../decisions/customer-sources.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import { isObject } from '../../messages/is-object.js';
import { cut } from '../../messages/received-value.js';
import { recordsOf, type SeenRecord } from '../documented-members.js';
import { describeExchange } from '../evidence.js';
import type { Observation, Observer } from '../observation.js';

const LONGEST = 60;

/** A field whose values are not known, with those of `documented` and those that `varied` adds. */
interface OpenField {
  readonly name: string;
  readonly documented: readonly string[];
  readonly varied: readonly string[];
}

const SOURCE: OpenField = { name: 'source', documented: CUSTOMER_SOURCES, varied: [] };
const UNIT: OpenField = {
  name: 'duration.unit',
  documented: ['MONTH'],
  varied: ['DAY', 'WEEK', 'YEAR'],
};
const TYPE: OpenField = {
  name: 'pricing.type',
  documented: ['ONE_TIME'],
  varied: ['SUBSCRIPTION', 'TIERED', 'PER_UNIT', 'CONTRACT_TERMS'],
};

/** Compares `source`, `duration.unit` and `pricing.type` with the known values (section 2.6). */
export const enumValues: Observer<'enum-values'> = {
  wanted: 'a contract whose products have other units or types',
  observe: (seen) =>
    recordsOf(seen).flatMap(({ exchange, value, envelope }) =>
      openValuesOf(value, envelope).map(
        ([field, received]): Observation<'enum-values'> => ({
          explainedBy: explain(field, received),
          evidence: describeExchange(exchange, `${field.name} is ${cut(received, LONGEST)}`),
        }),
      ),
    ),
};

function explain(
  { documented, varied }: OpenField,
  received: string,
): readonly DecisionValue<'enum-values'>[] {
  if (documented.includes(received)) return ['documented', 'varied'];
  return varied.includes(received) ? ['varied'] : ['unfamiliar'];
}

function openValuesOf(
  { source, products }: SeenRecord['value'],
  envelope: string,
): readonly (readonly [OpenField, string])[] {
  const found: (readonly [OpenField, unknown])[] =
    envelope === 'customer'
      ? [[SOURCE, source]]
      : (Array.isArray(products) ? products : [])
          .filter(isObject)
          .flatMap((product) => [
            [UNIT, memberOf(memberOf(product.scheduling, 'duration'), 'unit')] as const,
            [TYPE, memberOf(product.pricing, 'type')] as const,
          ]);
  return found.flatMap(([field, value]) =>
    typeof value === 'string' ? [[field, value] as const] : [],
  );
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
