import type { Seen } from './decision-changes.js';
import { type DecisionId, LEDGER_ROWS, meaningOf, SOURCES_SENTENCE } from './ledger.js';
import type { DecisionState } from './switch-decisions.js';

/**
 * One behaviour of the mock, and where it comes from.
 *
 * @example
 * const rows: readonly FidelityRow[] = account.decisions.fidelity();
 * console.log(rows.filter(({ basis }) => basis === 'decided').length);
 */
export interface FidelityRow {
  readonly behaviour: string;
  /**
   * `stated` by the specification; `decided` here and switchable; switchable and `seen` in the
   * service; `fixed` here, because nothing shows an alternative; or `chosen` for convenience, and
   * unknown for the service.
   */
  readonly basis: 'stated' | 'decided' | 'seen' | 'fixed' | 'chosen';
  /** The section of `docs/specification.md` that states the behaviour or leaves it open. */
  readonly section?: string;
  /** The decision, if one can switch the behaviour. */
  readonly decision?: DecisionId;
  /** The value that the decision has. */
  readonly value?: string;
  /** Where that value was seen, if the basis is `seen`. */
  readonly seen?: Seen;
}

/** What the specification states: behaviour and section. */
const STATED: readonly (readonly [behaviour: string, section: string])[] = [
  ['Every body is JSON, and every path is relative to a base URL.', '1'],
  ['The fields of every resource, and their types.', '2'],
  ['Timestamps are ISO 8601 date-times in UTC; an `id` is a string that the service assigns.', '2'],
  [
    'The timestamp of a usage event is exact to the millisecond; its `data` is a map from strings to values.',
    '2.5',
  ],
  ['`deletedAt` is set on a deleted contract and a deleted usage event.', '3'],
  ['Deleting a contract returns it in `contract`.', '4.1'],
  ['A customer is found by name and returned in `customer`.', '4.2'],
  ['A customer is found by the path value and returned in `customer`.', '4.3'],
  ['A page has at most `limit` measurements.', '4.4'],
  [
    '`hasMore` says whether more follow; `nextCursor`, sent as `cursor`, continues the listing.',
    '4.4',
  ],
  ["The account's usage events whose `ref` is listed are deleted.", '4.5'],
  ['The deleted events are returned in `events`, each with `deletedAt`.', '4.5'],
  ['Every operation requires `Authorization: Bearer <token>`.', '5'],
  ["The token names the account, and operations act on that account's data.", '5'],
  ['`limit` is 10 if left out, at least 1 and at most 1000.', '8'],
  ['`refs` has 1 to 1000 elements.', '8'],
];

/** What the specification leaves open and no decision switches: behaviour and section. */
const FIXED: readonly (readonly [behaviour: string, section: string])[] = [
  ["The values of an event's `data` are strings.", '2.5'],
  ['Aliases are strings.', '2.6'],
  ['Names are neither trimmed nor normalised before they are matched.', '4.2'],
  ['Of several customers with the same `externalId`, the oldest is returned.', '4.3'],
  ['Refs match exactly, including case and spaces.', '4.5'],
  ['There are no other operations.', '4.6'],
  ['Tokens neither expire nor carry scopes.', '5'],
  ['There are no notifications.', '6'],
  ['There is no quota apart from the rate limit.', '8'],
  ['There is no versioning.', '9'],
];

const NO_NULL = 'Nothing is `null`: a field without a value is absent.';
const UNDOCUMENTED_KEPT =
  'Records keep `null` and members that the document does not list, as in the fixture (`undocumented: keep`).';
/** Chosen so that strict clients accept generated records and cursors. */
const CHOSEN: readonly string[] = [
  'Generated ids are 24 hexadecimal digits.',
  'Generated timestamps are RFC 3339 in UTC, with milliseconds and `Z`.',
  'Generated phone numbers are a plus sign and digits.',
  'A cursor is URL-safe text that encodes a position in the listing.',
];

export function fidelityOf(
  { inForce, seen }: DecisionState,
  keepsUndocumented = false,
): readonly FidelityRow[] {
  const ofSources = inForce['enum-values'] === 'unfamiliar' ? [] : [SOURCES_SENTENCE];
  const hasNull =
    inForce['optional-fields'].includes('=null') || inForce['undocumented-fields'] === 'extra';
  const ofNull = hasNull ? [] : [NO_NULL];
  const chosen = [
    ...[...CHOSEN, ...ofSources],
    ...(keepsUndocumented ? [UNDOCUMENTED_KEPT] : ofNull),
  ];
  return [
    ...STATED.map(([behaviour, section]) => ({ behaviour, basis: 'stated' as const, section })),
    ...LEDGER_ROWS.map(([decision, row]) => {
      const value = String(inForce[decision]);
      const behaviour = `${row.question} ${meaningOf(row, value)}`;
      const shown = { behaviour, section: row.section, decision, value };
      const where = seen[decision];
      return where
        ? { ...shown, basis: 'seen' as const, seen: where }
        : { ...shown, basis: 'decided' as const };
    }),
    ...FIXED.map(([behaviour, section]) => ({ behaviour, basis: 'fixed' as const, section })),
    ...chosen.map((behaviour) => ({ behaviour, basis: 'chosen' as const })),
  ];
}
