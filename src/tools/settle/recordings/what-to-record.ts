import type { DecisionId } from '#spec';
import type { DecisionVerdict } from '../settle-report.js';

/** What a recording must have to settle decisions, as a noun phrase. */
const NEEDED: readonly (readonly [what: string, decisions: readonly DecisionId[]])[] = [
  ['a deletion of events and one of a contract', ['success-status']],
  [
    'the deletion in question three times, 2 s apart',
    ['repeat-delete', 'unmatched-refs', 'repeat-event-delete', 'unknown-body-members'],
  ],
  [
    'a deletion of three events that are days old, by refs in no order',
    ['updated-at-on-delete', 'deleted-events-order'],
  ],
  [
    'a listing in one full page, and in several of which the last is full',
    ['measurement-order', 'total-counts', 'last-page', 'final-cursor'],
  ],
  [
    'two such requests, each between two of what it may mean (for limit=2.5, limit=2)',
    ['empty-parameter', 'fractional-limit', 'limit-out-of-bounds', 'unknown-query-parameters'],
  ],
  [
    'a run of settle, whose made-up values it recognises',
    ['invalid-cursor', 'unknown-token', 'name-matches'],
  ],
  ['a customer by externalId, by id, and by externalId again', ['customer-id-matches']],
  [
    'three customers of one name, alike but for id and createdAt, by id and by that name',
    ['duplicate-name'],
  ],
  ['limit=many, limit=few and a 404', ['error-body', 'invalid-request-status']],
  ['a customer, and lookups by an id and by a name of eight zeros', ['unknown-identifier-status']],
  ['a call without a token, beside others', ['unauthorized-status']],
  ['a customer and some measurements', ['optional-fields', 'undocumented-fields']],
];

export const WHAT_TO_RECORD: Readonly<Partial<Record<DecisionId, string>>> = Object.fromEntries(
  NEEDED.flatMap(([what, decisions]) => decisions.map((decision) => [decision, what])),
);

/** Adds to the reason of an open verdict what a recording must have to settle it. */
export function withWhatToRecord(verdict: DecisionVerdict): DecisionVerdict {
  const { decision, reason } = verdict;
  const what = WHAT_TO_RECORD[decision];
  if (verdict.verdict !== 'undecided' || what === undefined) return verdict;
  return { ...verdict, reason: `${reason} To settle it, record ${what}.` };
}
