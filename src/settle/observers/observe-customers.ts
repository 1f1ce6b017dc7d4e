import { foldCase } from '../../billing/resources.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import { variantsOf } from '../seen/name-variants.js';
import { instantOf, isOddInPath, isSuccess } from '../seen/samples.js';
import {
  type CustomerSearch,
  foldAsciiCase,
  type SeenCustomer,
  searchesIn,
} from '../seen/seen-customers.js';
import { type Observation, type ObserversOf, tell } from './observer.js';

type Decisions = 'customer-id-matches' | 'name-matches' | 'duplicate-name';

/** Compare what customers were asked for with what they have (sections 4.2 and 4.3). */
export const CUSTOMERS: ObserversOf<Decisions> = {
  'customer-id-matches': {
    wanted: 'a customer whose externalId is known and differs from its id',
    observe: (seen) => {
      const { customers, successful, missed } = searchesIn(seen, 'getCustomer');
      return [
        ...successful.flatMap((search) => observeFoundById(search, customers)),
        ...missed.flatMap((search) => observeMissedById(search, customers)),
      ];
    },
  },
  'name-matches': {
    wanted:
      'a customer asked for by its name in another case, and by an alias that differs from every name,',
    observe: (seen) => {
      const { customers, successful, missed } = searchesIn(seen, 'getCustomerByName');
      const asked = [...successful, ...missed].map((search) => search.asked);
      const untold = customers.map(({ name }) => untoldOf(name, asked));
      const [least] = untold.sort((one, other) => one.length - other.length);
      const open = least?.[0] && `nothing shows whether the service finds a name by ${least[0]}`;
      return [
        ...successful.flatMap(observeFoundByName),
        ...missed.flatMap((search) => observeMissedByName(search, customers)),
      ].map((observation) => ({ ...observation, open }));
    },
  },
  'duplicate-name': {
    wanted: 'a name that two customers have',
    observe: (seen) => {
      const { customers, searches } = searchesIn(seen, 'getCustomerByName');
      return searches.flatMap((search) => observeNamesakes(search, customers));
    },
  },
};

function observeFoundById(
  { sample, asked, found }: CustomerSearch,
  customers: readonly SeenCustomer[],
) {
  if (found === undefined) return [];
  const { id, externalId } = found;
  const any = ['id-or-external-id', 'id', 'external-id'] as const;
  if (externalId === undefined) return tell(sample, 'a customer that shows no externalId', ...any);
  const isId = isSame(asked, id);
  const isExternalId = isSame(asked, externalId);
  if (isId && isExternalId) return tell(sample, 'the id and externalId are the same', ...any);
  if (isId) return tell(sample, 'found by its id', 'id-or-external-id', 'id');
  if (!isExternalId) return tell(sample, 'a customer with neither this id nor this externalId');
  const told = 'found by its externalId';
  return customers.some((other) => isSame(other.id, asked))
    ? tell(sample, `${told}, although another customer has this id`, 'external-id')
    : tell(sample, told, 'id-or-external-id', 'external-id');
}

function observeMissedById({ sample, asked }: CustomerSearch, customers: readonly SeenCustomer[]) {
  const known = customers.filter(({ id, externalId }) => !isSame(id, externalId ?? ''));
  const isId = known.some(({ id }) => id === asked);
  const isExternalId = known.some(({ externalId }) => externalId === asked);
  if (isOddInPath(asked) || !(isId || isExternalId)) return [];
  const told = `asked for the ${isId ? 'id' : 'externalId'} of a customer`;
  if (isId && isExternalId) return tell(sample, told);
  return tell(sample, told, isId ? 'external-id' : 'id');
}

/** Some services match identifiers in any case. */
const isSame = (one: string, other: string) => foldCase(one) === foldCase(other);

/** The ways to write a name that were not asked for, and that a service may take for the name. */
function untoldOf(name: string | undefined, asked: readonly string[]): readonly string[] {
  if (name === undefined || !asked.includes(name)) return ['another name'];
  return variantsOf(name).flatMap(([kind, variant]) => (asked.includes(variant) ? [] : [kind]));
}

type NameMatches = DecisionValue<'name-matches'>;

const ANY: readonly NameMatches[] = ['exact', 'case-insensitive', 'name-or-alias'];

function observeFoundByName({ sample, asked, found }: CustomerSearch) {
  const { name, aliases } = found ?? {};
  if (name === undefined) return [];
  if (name === asked) return tell(sample, 'found by its name', ...ANY);
  const isAlias = aliases?.includes(asked) ?? false;
  if (foldCase(name) === foldCase(asked)) {
    // An alias that is not shown may be the name in another case, but hardly `aCME`.
    const mayBeAlias = isAlias || (aliases === undefined && !/\p{Ll}\p{Lu}/u.test(asked));
    const alias = mayBeAlias ? 'name-or-alias' : undefined;
    return tell(sample, 'found by its name in another case', 'case-insensitive', alias);
  }
  if (isAlias) return tell(sample, 'found by an alias', 'name-or-alias');
  const isVariant = variantsOf(name).some(([, variant]) => variant === asked);
  return aliases === undefined && !isVariant
    ? tell(sample, 'a customer with another name that shows no aliases', ...ANY)
    : tell(sample, 'a customer with neither this name, in any case, nor this alias');
}

function observeMissedByName(
  { sample, asked }: CustomerSearch,
  customers: readonly SeenCustomer[],
) {
  const bearers = customers.filter(({ name }) => name === asked);
  if (isOddInPath(asked) || bearers.length > 1) return [];
  if (bearers.length === 1) return tell(sample, 'asked for an exact name');
  const isNameInAnotherCase = customers.some(
    ({ name }) => name !== undefined && foldAsciiCase(name) === foldAsciiCase(asked),
  );
  const isAlias = customers.some(({ aliases }) => aliases?.includes(asked));
  if (!isNameInAnotherCase && !isAlias) return [];
  const told = [isNameInAnotherCase && 'a name in another case', isAlias && 'an alias'];
  return tell(
    sample,
    `asked for ${told.filter(Boolean).join(' that is ')}`,
    'exact',
    isNameInAnotherCase ? undefined : 'case-insensitive',
    isAlias ? undefined : 'name-or-alias',
  );
}

function observeNamesakes(
  { sample, asked, found }: CustomerSearch,
  customers: readonly SeenCustomer[],
): Observation<'duplicate-name'>[] {
  const namesakes = customers.filter(({ name }) => name === asked);
  if (!isSuccess(sample)) {
    if (sample.response.status === 409) return [tell(sample, undefined, 'conflict')];
    if (namesakes.length < 2 || isOddInPath(asked)) return [];
    return [tell(sample, 'asked for a name of two customers')];
  }
  if (found?.name !== asked) return [];
  return namesakes.flatMap((other) => {
    const isOldest = other === found ? undefined : isOlder(found, other);
    if (isOldest === undefined) return [];
    const told = `the ${isOldest ? 'older' : 'younger'} of two customers with the same name`;
    return tell(sample, told, isOldest ? 'oldest' : undefined);
  });
}

/** Undefined if their instants do not tell. */
function isOlder(one: SeenCustomer, other: SeenCustomer): boolean | undefined {
  const [createdAt, otherCreatedAt] = [instantOf(one.createdAt), instantOf(other.createdAt)];
  if (createdAt === undefined || otherCreatedAt === undefined) return undefined;
  if (createdAt !== otherCreatedAt) return createdAt < otherCreatedAt;
  // Which id is smaller may be a matter of text or of numbers.
  return one.id < other.id ? true : undefined;
}
