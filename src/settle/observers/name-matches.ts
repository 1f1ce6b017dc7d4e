import { foldCase } from '../../billing/indexes.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import { callsOf, isNotFound, isOddInPath } from '../account-calls.js';
import { describeExchange } from '../evidence.js';
import { type Exchange, isSuccess } from '../exchange.js';
import type { Observation, Observer } from '../observation.js';
import {
  customersSeen,
  foldAsciiCase,
  foundCustomer,
  type SeenCustomer,
} from '../seen-customers.js';

type Matches = DecisionValue<'name-matches'>;
type Observed = Observation<'name-matches'>;

const ANY: readonly Matches[] = ['exact', 'case-insensitive', 'name-or-alias'];

/** Compares the names that were asked for with those of customers (section 4.2). */
export const nameMatches: Observer<'name-matches'> = {
  wanted:
    'a customer asked for by its name in another case, and by an alias that differs from every name,',
  observe: (seen) => {
    const customers = customersSeen(seen.exchanges);
    const calls = callsOf(seen, 'getCustomerByName');
    const found = new Set(calls.filter(isSuccess).map(askedFor));
    // What was found once is known to exist only then.
    const refused = calls.filter((call) => isNotFound(call) && !found.has(askedFor(call)));
    return [
      ...calls.filter(isSuccess).flatMap((call) => observeFound(call, customers)),
      ...refused.flatMap((call) => observeRefused(call, customers)),
    ];
  },
};

function askedFor({ call }: Exchange): string {
  return call.path.name ?? '';
}

function observeFound(exchange: Exchange, customers: readonly SeenCustomer[]): Observed[] {
  const asked = askedFor(exchange);
  const { name, aliases } = foundCustomer(exchange, customers) ?? {};
  if (name === undefined) return [];
  const tell = (explainedBy: readonly Matches[], told: string) => [
    { explainedBy, evidence: describeExchange(exchange, told) },
  ];
  if (name === asked) return tell(ANY, 'found by its name');
  const isNameInAnotherCase = foldCase(name) === foldCase(asked);
  const isAlias = aliases?.includes(asked) ?? false;
  if (isNameInAnotherCase) {
    // An alias that is not shown may be the name in another case, but hardly `aCME`.
    const mayBeAlias = isAlias || (aliases === undefined && !/\p{Ll}\p{Lu}/u.test(asked));
    const explainedBy: Matches[] = [
      'case-insensitive',
      ...(mayBeAlias ? (['name-or-alias'] as const) : []),
    ];
    return tell(explainedBy, 'found by its name in another case');
  }
  if (isAlias) return tell(['name-or-alias'], 'found by an alias');
  return aliases === undefined
    ? tell(ANY, 'a customer with another name that shows no aliases')
    : tell([], 'a customer with neither this name, in any case, nor this alias');
}

function observeRefused(exchange: Exchange, customers: readonly SeenCustomer[]): Observed[] {
  const asked = askedFor(exchange);
  const bearers = customers.filter(({ name }) => name === asked);
  if (isOddInPath(asked) || bearers.length > 1) return [];
  if (bearers.length === 1) {
    return [{ explainedBy: [], evidence: describeExchange(exchange, 'asked for an exact name') }];
  }
  const isNameInAnotherCase = customers.some(
    ({ name }) => name !== undefined && foldAsciiCase(name) === foldAsciiCase(asked),
  );
  const isAlias = customers.some(({ aliases }) => aliases?.includes(asked));
  const told = [
    ...(isNameInAnotherCase ? ['a name in another case'] : []),
    ...(isAlias ? ['an alias'] : []),
  ];
  if (told.length === 0) return [];
  const explainedBy = ANY.filter(
    (value) =>
      !(value === 'case-insensitive' && isNameInAnotherCase) &&
      !(value === 'name-or-alias' && isAlias),
  );
  return [
    { explainedBy, evidence: describeExchange(exchange, `asked for ${told.join(' that is ')}`) },
  ];
}
