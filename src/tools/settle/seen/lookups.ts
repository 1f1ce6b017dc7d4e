import type { DecisionValue } from '#spec';
import { foldCase } from '../../../core/values/fold-case.js';
import { type NameVariant, variantsOf, withoutZeros } from './name-variants.js';
import { isOddInPath } from './samples.js';
import type { SeenCustomer } from './seen-customers.js';

type Key = 'id' | 'externalId' | 'name' | 'alias';

/** A kind of value to look a customer up by; decisions are about which kinds find customers. */
export type LookupKind =
  | Key
  | `${Key} in another case`
  | `${Key} without leading zeros`
  | NameVariant;

export type Lookup = 'getCustomer' | 'getCustomerByName';

/** The only kinds of key that find a customer, for each value of the lookup's decision. */
export const FOUND_BY = {
  getCustomer: {
    'id-or-external-id': ['id', 'externalId'],
    id: ['id'],
    'external-id': ['externalId'],
  } satisfies Record<DecisionValue<'customer-id-matches'>, readonly LookupKind[]>,
  getCustomerByName: {
    exact: ['name'],
    'case-insensitive': ['name', 'name in another case'],
    'name-or-alias': ['name', 'alias'],
  } satisfies Record<DecisionValue<'name-matches'>, readonly LookupKind[]>,
};

/**
 * The keys that some value of the lookup's decision matches, the usual one first. Probes try the
 * other keys for one customer only.
 */
const OWN: Readonly<Record<Lookup, readonly [Key, Key]>> = {
  getCustomer: ['id', 'externalId'],
  getCustomerByName: ['name', 'alias'],
};

const KEYS: readonly Key[] = ['id', 'externalId', 'name', 'alias'];

function valuesOf({ id, externalId, name, aliases = [] }: SeenCustomer, key: Key) {
  const values = { id: [id], externalId: [externalId], name: [name], alias: aliases };
  return values[key].filter((value) => value !== undefined);
}

/**
 * The values to look a customer up by. Another case is included for the usual key, and for any
 * value that was found as it is.
 */
export function lookupsOf(
  customer: SeenCustomer,
  lookup: Lookup,
  isFound: (value: string) => boolean,
  isEveryKey = true,
): readonly { readonly kind: LookupKind; readonly value: string }[] {
  const keys = new Set(KEYS.flatMap((key) => valuesOf(customer, key)));
  return KEYS.filter((key) => isEveryKey || OWN[lookup].includes(key)).flatMap((key) => {
    const value = valuesOf(customer, key).find((one) => !isOddInPath(one));
    if (value === undefined) return [];
    const swapped = swapCase(value);
    const bare = withoutZeros(value);
    const isUsual = OWN[lookup][0] === key;
    // Of other customers, ids in another case would take too many requests.
    const isWorthIt = isEveryKey ? isUsual || isFound(value) : isUsual && key === 'name';
    return [
      { kind: key, value },
      ...(isWorthIt && !keys.has(swapped) && swapped !== value
        ? [{ kind: `${key} in another case` as const, value: swapped }]
        : []),
      ...(isEveryKey && lookup === 'getCustomer' && OWN[lookup].includes(key) && !keys.has(bare)
        ? [{ kind: `${key} without leading zeros` as const, value: bare }]
        : []),
    ];
  });
}

/** Which of the customer's keys the value matches: several, if its name is also an alias. */
export function kindsOf(value: string, customer: SeenCustomer): readonly LookupKind[] {
  const variant = variantsOf(customer.name ?? '').find(
    ([, text]) => text === value && foldCase(text) !== foldCase(customer.name ?? ''),
  );
  return [
    ...KEYS.filter((key) => valuesOf(customer, key).includes(value)),
    ...KEYS.filter((key) =>
      valuesOf(customer, key).some((one) => one !== value && foldCase(one) === foldCase(value)),
    ).map((key) => `${key} in another case` as const),
    ...OWN.getCustomer
      .filter((key) =>
        valuesOf(customer, key).some((one) => one !== value && withoutZeros(one) === value),
      )
      .map((key) => `${key} without leading zeros` as const),
    ...(variant ? [variant[0]] : []),
  ];
}

/** Creates a function like `kindsOf` that considers all of these customers. */
export function kindsAmong(customers: readonly SeenCustomer[]) {
  const alike = new Map<string, Set<SeenCustomer>>();
  for (const customer of customers) {
    const variants = variantsOf(customer.name ?? '').map(([, text]) => text);
    const keys = KEYS.flatMap((key) => valuesOf(customer, key));
    for (const text of [...keys, ...keys.map(withoutZeros), ...variants]) {
      const folded = foldCase(text);
      alike.set(folded, (alike.get(folded) ?? new Set()).add(customer));
    }
  }
  return (value: string): readonly LookupKind[] => {
    const found = [...(alike.get(foldCase(value)) ?? [])];
    return [...new Set(found.flatMap((customer) => kindsOf(value, customer)))];
  };
}

function swapCase(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
