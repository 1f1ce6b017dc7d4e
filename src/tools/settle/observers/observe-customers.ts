import { foldCase } from '../../../core/values/fold-case.js';
import {
  FOUND_BY,
  kindsAmong,
  kindsOf,
  type Lookup,
  type LookupKind,
  lookupsOf,
} from '../seen/lookups.js';
import { isNameVariant, variantsOf } from '../seen/name-variants.js';
import {
  instantOf,
  isOddInPath,
  isSuccess,
  isUnseen,
  mayMeanNotFound,
  NAMESAKE_TIMES,
  type Seen,
} from '../seen/samples.js';
import { type CustomerSearch, type SeenCustomer, searchesIn } from '../seen/seen-customers.js';
import { type Observation, type ObserversOf, tell } from './observer.js';

type Decisions = 'customer-id-matches' | 'name-matches' | 'duplicate-name';

/** Compare the value of each lookup with the customer it found (sections 4.2 and 4.3). */
export const CUSTOMERS: ObserversOf<Decisions> = {
  'customer-id-matches': {
    wanted: 'a customer whose externalId is known and differs from its id',
    observe: (seen) => observeLookups(seen, 'getCustomer'),
  },
  'name-matches': {
    wanted:
      'a customer asked for by its name in another case, and by an alias that differs from every name,',
    observe: (seen) => observeLookups(seen, 'getCustomerByName'),
  },
  'duplicate-name': {
    wanted: 'a name that two customers have',
    observe: (seen) => {
      const { customers, searches } = searchesIn(seen, 'getCustomerByName');
      const observed = searches.flatMap((search) => observeNamesakes(search, customers));
      const isFew = new Set(observed.flatMap(({ samples }) => samples)).size < NAMESAKE_TIMES;
      const open = isFew ? 'any of them may have been found by chance' : undefined;
      return observed.map((one) => ({ ...one, open, kind: 'a name of two' }));
    },
  },
};

type Value<By extends Lookup> = keyof (typeof FOUND_BY)[By] & string;

/** Compares the kinds of key that find a customer with those that each value matches. */
function observeLookups<By extends Lookup>(seen: Seen, by: By) {
  const { customers, searches } = searchesIn(seen, by);
  const successful = searches.filter(({ sample }) => isSuccess(sample));
  const missed = searches.filter(({ sample }) => mayMeanNotFound(sample));
  const asked = new Set(searches.flatMap((one) => (isUnseen(one.sample) ? [] : one.asked)));
  const found = new Set(successful.map((search) => search.asked));
  const untold = customers
    .map((customer) => untoldOf(customer, by, asked, found))
    .filter(({ isLookedUp }) => isLookedUp);
  const varied = successful.flatMap(({ asked, found }) => {
    const isVaried = found?.name !== asked && foldCase(found?.name ?? '') === foldCase(asked);
    return (isVaried && found?.name) || [];
  });
  const isSameCase = by === 'getCustomerByName' && varied.length > 0 && !varied.some(isMixedCase);
  const [untried = untold.length === 0 ? 'anything else' : undefined] = [
    ...(isSameCase ? ['a name of small and capital letters in another case'] : []),
    ...untold.flatMap(({ kinds }) => kinds),
    ...fewest(untold.map(({ others }) => others)),
    ...fewest(untold.map(({ forms }) => forms)),
  ];
  const open = untried && `nothing shows whether the service finds a customer by ${untried}`;
  const kindsOfAny = kindsAmong(customers);
  const all = [...successful, ...missed].flatMap((search) => {
    const kinds = kindsOfAny(search.asked);
    const isFound = isSuccess(search.sample);
    const observed = isFound
      ? observeFound(search, customers, by)
      : observeMissed(search, kinds, customers, by);
    const told = { isFound, key: kinds.join(' or '), asked: search.asked };
    return [observed].flat().map((one) => ({ ...one, ...told }));
  });
  const times = (key: string, isFound: boolean) =>
    new Set(all.flatMap((one) => (one.key === key && one.isFound === isFound ? one.asked : [])))
      .size;
  return all.map(({ isFound, key, asked, ...observation }) => {
    const [found, missed] = [times(key, true), times(key, false)];
    // Something else about the records may decide, or they may come and go.
    const isMixed = key !== '' && found > 0 && missed > 0;
    return {
      ...observation,
      open: isMixed ? `its ${key} was found for ${found}, missed for ${missed}` : open,
      isDoubtful: isMixed,
    };
  });
}

/** True if a name has small and capital letters: a service may change all that it gets. */
function isMixedCase(name: string): boolean {
  return name !== name.toLowerCase() && name !== name.toUpperCase();
}

/** What was left untried for the customer that was tried most: trying one fully is enough. */
function fewest(lists: readonly (readonly string[])[]): readonly string[] {
  return [...lists].sort((one, other) => one.length - other.length)[0] ?? [];
}

/** The kinds of value, and the forms of its name, that a customer was never looked up by. */
function untoldOf(
  customer: SeenCustomer,
  by: Lookup,
  asked: ReadonlySet<string>,
  found: ReadonlySet<string>,
) {
  const [own = [], all = []] = [false, true].map((isEveryKey) =>
    lookupsOf(customer, by, (value) => found.has(value), isEveryKey),
  );
  const untold = (lookups: typeof own) =>
    lookups.flatMap(({ kind, value }) => (asked.has(value) ? [] : `its ${kind}`));
  const variants = by === 'getCustomer' ? [] : variantsOf(customer.name ?? '');
  return {
    // Looking a customer up by its id alone tries nothing: that is how all are fetched.
    isLookedUp: own.length - untold(own).length > 1,
    kinds: untold(own),
    others: untold(all),
    forms: variants.flatMap(([kind, text]) => (asked.has(text) ? [] : [`its name with ${kind}`])),
  };
}

function valuesWhere<By extends Lookup>(
  by: By,
  isExplained: (finds: readonly LookupKind[]) => boolean,
): Value<By>[] {
  const table = Object.entries<readonly LookupKind[]>(FOUND_BY[by]);
  return table.filter(([, finds]) => isExplained(finds)).map(([value]) => value as Value<By>);
}

function observeFound<By extends Lookup>(
  { sample, asked, found }: CustomerSearch,
  customers: readonly SeenCustomer[],
  by: By,
) {
  if (found === undefined) return [];
  const hidden = hiddenIn(found, asked, by);
  const kinds = [...kindsOf(asked, found), ...hidden];
  const isIdOfAnother = customers.some((other) => other !== found && other.id === asked);
  const values = valuesWhere(
    by,
    (finds) =>
      kinds.some((kind) => finds.includes(kind)) && !(isIdOfAnother && finds.includes('id')),
  );
  const told =
    kinds.length === 0
      ? 'none of its ids, names and aliases'
      : kinds.map((kind) => `its ${isNameVariant(kind) ? `name with ${kind}` : kind}`).join(' or ');
  const but = isIdOfAnother ? ', although another customer has this id' : '';
  return tell(sample, `found by ${told}${but}`, ...values);
}

/** Keys that the customer may have been found by, although no response shows them. */
function hiddenIn(
  { name, externalId, aliases }: SeenCustomer,
  asked: string,
  by: Lookup,
): readonly LookupKind[] {
  if (by === 'getCustomer') return externalId === undefined ? ['id', 'externalId'] : [];
  if (name === undefined) return ['name', 'alias'];
  if (aliases !== undefined || variantsOf(name).some(([, variant]) => variant === asked)) return [];
  // An alias may be the name in another case, but hardly in swapped case: `aCME`.
  if (foldCase(name) === foldCase(asked)) return /\p{Ll}\p{Lu}/u.test(asked) ? [] : ['alias'];
  return ['name', 'alias'];
}

function observeMissed<By extends Lookup>(
  { sample, asked }: CustomerSearch,
  kinds: readonly LookupKind[],
  customers: readonly SeenCustomer[],
  by: By,
) {
  const isShared = customers.filter(({ name }) => name === asked).length > 1;
  if (isOddInPath(asked) || kinds.length === 0 || (isShared && by === 'getCustomerByName'))
    return [];
  const values = valuesWhere(by, (finds) => !kinds.some((kind) => finds.includes(kind)));
  return tell(sample, `asked for the ${kinds.join(' or ')} of a customer`, ...values);
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

/** True if the first customer is older, or as old with the smaller id; undefined if unknown. */
function isOlder(one: SeenCustomer, other: SeenCustomer): boolean | undefined {
  const [createdAt, otherCreatedAt] = [instantOf(one.createdAt), instantOf(other.createdAt)];
  if (createdAt === undefined || otherCreatedAt === undefined) return undefined;
  if (createdAt !== otherCreatedAt) return createdAt < otherCreatedAt;
  // A service may compare ids as numbers, so the greater text proves nothing.
  return one.id < other.id ? true : undefined;
}
