import { readFileSync } from 'node:fs';
import { askService, toldRightly, WAYS, type Way, wrongVerdicts } from './ask-service.js';
import { BEHAVIOURS, type Behaviour, PLAIN_TRUTH } from './behaviours.js';

/** What was settled of a behaviour as `decision=value`, if it differs from the plain service. */
type Told = Readonly<Partial<Record<Way, { readonly also?: string; readonly not?: string }>>>;

/** What was settled of each behaviour earlier, which is the least to settle now. */
const BEFORE = JSON.parse(readFileSync('test/settle/truth/settled-before.json', 'utf8')) as {
  readonly plain: Readonly<Record<Way, string>>;
  readonly others: Readonly<Record<string, Told>>;
};

/** Every decision that was settled of a behaviour earlier, with its value. */
function toldBefore(name: string, asked: Way): ReadonlyMap<string, string> {
  // A recording of one token shows all that GET alone does, except for tokens and header fields.
  const isRead = asked === 'a HAR of GET alone';
  const way = isRead ? 'GET alone' : asked;
  const { also = '', not = '' } = BEFORE.others[name]?.[way] ?? {};
  const told = `${BEFORE.plain[way]} ${also}`.split(' ').filter((one) => one !== '');
  const pairs = told.map((one): [string, string] => {
    const [decision = ''] = one.split('=', 1);
    return [decision, one.slice(decision.length + 1)];
  });
  const without = isRead ? [...not.split(' '), 'unknown-token', 'rate-limit'] : not.split(' ');
  return new Map(pairs.filter(([decision]) => !without.includes(decision)));
}

/** What was right only by luck, and is no longer settled: the names of behaviours by decision. */
const LUCK: Readonly<Record<string, RegExp>> = {
  // Of 37 rows, 1001 and 1000 get the same page: a service without an upper bound does too.
  'limit-out-of-bounds': /^clamps limits, over 37 rows$|^has 10 on every page, whatever the limit$/,
  // HTML with 200 comes from a proxy or a login page, not from the service: after three tries it
  // counts as lost, and could not be checked.
  // A cursor in the service's own form cannot be made up where none was seen, or it is too short; and
  // after the last row there is none that would be followed.
  'invalid-cursor': /^answers an unknown cursor with a page of HTML$|^has (no|one) measurements?$/,
  'unauthorized-status': /^answers (every refused token|everything) with a page of HTML$/,
  // A 400 or 422 says nothing of the deletion where an unknown contract gets it too; and what a
  // service does for a moment may be what it does.
  'repeat-delete':
    /^answers everything with a page of HTML$|^answers 4(00|22) for what|for two seconds$/,
  'repeat-event-delete': /for two seconds$/,
  // The same; and HTML with 404 says that the path is missing, not a customer; and a token that may
  // not see any customer may get a 404 for each.
  'unknown-identifier-status':
    /^answers everything with a page of HTML$|^has (no (customers at all|measurements)|bare records)$|^shows no customer to this token$|^finds customers by externalId alone$/,
  // GET alone shows no contract, whose values may be known ones.
  'enum-values': /^has an unknown source, unit and type$/,
  // A page of HTML counts for the service's once it came three times, for which a run that deletes may
  // have too few requests left.
  'error-body': /^has a wall before it that answers odd limits with a page of 400$/,
  // Two rows are in one of the orders as often as not; and `updatedAt` is `createdAt`.
  'measurement-order': /^has two measurements$|^lists by createdAt$/,
  // The largest deletion has a ref without an event and is refused; others list too few events.
  // By timestamp, these events are in the order of their refs too.
  'deleted-events-order':
    /^refuses refs of no event, but deletes the others$|^lists deleted events by timestamp$/,
  // If no two first pages are equal, the listing has no size to compare a total with.
  'total-counts':
    /^(gains|loses) .* before every [12]\. request$|^counts what remains while|^refuses nothing while|^has 2300 .* rows/,
  // No limit makes a page of one row shorter; and a page that was the last one no longer is.
  'last-page': /^has one measurement$|^refuses nothing and gains a row now and then$/,
  // If every page has the same size, the meaning of a limit does not show.
  'fractional-limit': /^has 10 on every page, whatever the limit$/,
  // An empty listing may be that of an empty account, or of none.
  'unknown-token': /^opens an empty account for any token$/,
  // A service that hides customers from this token finds none of the measurements' ids either, but
  // may find one that the user names by its externalId.
  'customer-id-matches': /^finds customers by externalId alone$/,
};

/** The decisions that were settled correctly before, and not by luck. */
function leastOf({ name, truth }: Behaviour, way: Way): readonly string[] {
  const right: Readonly<Record<string, unknown>> = { ...PLAIN_TRUTH, ...truth };
  return [...toldBefore(name, way)]
    .filter(([decision, said]) => String(right[decision] ?? 'none') === said)
    .map(([decision]) => decision)
    .filter((decision) => !LUCK[decision]?.test(name));
}

/** Tests that what is settled of these behaviours is true. */
export function describeTruth(isAsked: (behaviour: Behaviour, way: Way) => boolean): void {
  const rows = BEHAVIOURS.flatMap((behaviour) =>
    WAYS.filter((way) => isAsked(behaviour, way)).map((way) => ({ behaviour, way })),
  );

  describe('settle, of a service that', () => {
    test.concurrent.each(rows.map((row) => [row.behaviour.name, row.way, row] as const))(
      '%s, by %s: settles nothing wrong, raises no false alarm, and settles what it can',
      async (_name, way, { behaviour }) => {
        const report = await askService(behaviour, way);
        expect(wrongVerdicts(behaviour, report)).toEqual([]);
        const told: readonly string[] = toldRightly(behaviour, report);
        const least = leastOf(behaviour, way).filter((decision) => !told.includes(decision));
        const untold = report.verdicts.filter(({ decision }) => least.includes(decision));
        expect(untold.map(({ decision, reason }) => `${decision}: ${reason}`)).toEqual([]);
      },
    );
  });
}
