import { foldCase } from '../../billing/indexes.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import { callsOf, isNotFound, isOddInPath } from '../account-calls.js';
import { describeExchange } from '../evidence.js';
import { type Exchange, isSuccess } from '../exchange.js';
import type { Observation, Observer, Seen } from '../observation.js';
import {
  customersSeen,
  foundCustomer,
  measuredCustomerIds,
  type SeenCustomer,
} from '../seen-customers.js';

type Matches = DecisionValue<'customer-id-matches'>;
type Observed = Observation<'customer-id-matches'>;

const ANY: readonly Matches[] = ['id-or-external-id', 'id', 'external-id'];
const BY_ID: readonly Matches[] = ['id-or-external-id', 'id'];
const BY_EXTERNAL_ID: readonly Matches[] = ['id-or-external-id', 'external-id'];

/** So many customers that measurements name and that are all not found are no coincidence. */
const ENOUGH_NOT_FOUND = 3;

/** Compares what customers were asked for with what they have (section 4.3). */
export const customerIdMatches: Observer<'customer-id-matches'> = {
  wanted: 'a customer whose externalId is known and differs from its id',
  observe: (seen) => {
    const customers = customersSeen(seen.exchanges);
    const calls = callsOf(seen, 'getCustomer');
    const found = new Set(calls.filter(isSuccess).map(askedFor));
    // What was found once is known to exist only then.
    const refused = calls.filter((call) => isNotFound(call) && !found.has(askedFor(call)));
    return [
      ...calls.filter(isSuccess).flatMap((call) => observeFound(call, customers)),
      ...refused.flatMap((call) => observeRefused(call, customers)),
      ...(found.size === 0 ? observeNoneFound(refused, seen) : []),
    ];
  },
};

function askedFor({ call }: Exchange): string {
  return call.path.customerId ?? '';
}

function observeFound(exchange: Exchange, customers: readonly SeenCustomer[]): Observed[] {
  const asked = askedFor(exchange);
  const customer = foundCustomer(exchange, customers);
  if (customer === undefined) return [];
  const { id, externalId } = customer;
  const tell = (explainedBy: readonly Matches[], told: string) => [
    { explainedBy, evidence: describeExchange(exchange, told) },
  ];
  if (externalId === undefined) return tell(ANY, 'a customer that shows no externalId');
  const isId = isSame(asked, id);
  const isExternalId = isSame(asked, externalId);
  if (isId && isExternalId) return tell(ANY, 'its id and its externalId are the same');
  if (isId) return tell(BY_ID, 'found by its id');
  if (!isExternalId) return tell([], 'a customer with neither this id nor this externalId');
  const isAnothersId = customers.some((other) => isSame(other.id, asked));
  return isAnothersId
    ? tell(['external-id'], 'found by its externalId, although another customer has this id')
    : tell(BY_EXTERNAL_ID, 'found by its externalId');
}

function observeRefused(exchange: Exchange, customers: readonly SeenCustomer[]): Observed[] {
  const asked = askedFor(exchange);
  const known = customers.filter(({ id, externalId }) => !isSame(id, externalId ?? ''));
  const isId = known.some(({ id }) => id === asked);
  const isExternalId = known.some(({ externalId }) => externalId === asked);
  if (isOddInPath(asked) || !(isId || isExternalId)) return [];
  const explainedBy: Matches[] = isId ? (isExternalId ? [] : ['external-id']) : ['id'];
  const told = `asked for the ${isId ? 'id' : 'externalId'} of a customer`;
  return [{ explainedBy, evidence: describeExchange(exchange, told) }];
}

/** No customer can be seen by its id, so that none is known: only measurements name their ids. */
function observeNoneFound(refused: readonly Exchange[], { exchanges }: Seen): Observed[] {
  const ids = measuredCustomerIds(exchanges);
  const missed = refused.filter(
    // Text is what a server answers for a path that it does not have.
    ({ answer, call }) =>
      answer.status === 404 &&
      answer.body.kind !== 'text' &&
      ids.includes(String(call.path.customerId)),
  );
  const count = new Set(missed.map(askedFor)).size;
  const [first] = missed;
  if (first === undefined || count < ENOUGH_NOT_FOUND) return [];
  const told = `asked for the customerId of a measurement, as for ${count - 1} others`;
  return [{ explainedBy: ['external-id'], evidence: describeExchange(first, told) }];
}

/** Some services match identifiers in any case. */
function isSame(one: string, other: string): boolean {
  return foldCase(one) === foldCase(other);
}
