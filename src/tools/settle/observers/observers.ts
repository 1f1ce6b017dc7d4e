import type { DecisionId } from '#spec';
import { cursorLifetime } from './observe-cursor-lifetime.js';
import { CUSTOMERS } from './observe-customers.js';
import { enumValues } from './observe-enum-values.js';
import { errorBody } from './observe-error-body.js';
import { EVENT_DELETIONS } from './observe-event-deletions.js';
import { LISTING_ENDS } from './observe-listing-ends.js';
import { measurementOrder } from './observe-measurement-order.js';
import { ODD_LISTINGS } from './observe-odd-listings.js';
import { optionalFields } from './observe-optional-fields.js';
import { rateLimit } from './observe-rate-limit.js';
import { repeatDelete } from './observe-repeat-delete.js';
import { STATUSES } from './observe-statuses.js';
import { totalCounts } from './observe-total-counts.js';
import { undocumentedFields } from './observe-undocumented-fields.js';
import { updatedAtOnDelete } from './observe-updated-at-on-delete.js';
import type { Observer, ObserversOf } from './observer.js';

export const OBSERVERS = {
  ...CUSTOMERS,
  ...EVENT_DELETIONS,
  ...LISTING_ENDS,
  ...ODD_LISTINGS,
  ...STATUSES,
  'repeat-delete': repeatDelete,
  'updated-at-on-delete': updatedAtOnDelete,
  'measurement-order': measurementOrder,
  'total-counts': totalCounts,
  'cursor-lifetime': cursorLifetime,
  'error-body': errorBody,
  'optional-fields': optionalFields,
  'enum-values': enumValues,
  'undocumented-fields': undocumentedFields,
  'rate-limit': rateLimit,
} satisfies Partial<ObserversOf<DecisionId>>;

/** A decision that settle knows how to ask about. */
export type ObservedId = keyof typeof OBSERVERS;

/** Undefined for a decision of the ledger that settle does not know how to ask about. */
export function observerOf<Id extends DecisionId>(decision: Id): Observer<Id> | undefined {
  return (OBSERVERS as Partial<ObserversOf<DecisionId>>)[decision];
}

/** Whether no request asks about the decision. */
export function isNeverAsked(decision: DecisionId): boolean {
  const observer = observerOf(decision);
  return observer === undefined || observer.whyNeverAsked !== undefined;
}
