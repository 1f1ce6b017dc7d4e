import type { DecisionId } from '../../decisions/ledger.js';
import type { Observer } from '../observation.js';
import { cursorLifetime } from './cursor-lifetime.js';
import { customerIdMatches } from './customer-id-matches.js';
import { deletedEventsOrder } from './deleted-events-order.js';
import { duplicateName } from './duplicate-name.js';
import { emptyParameter } from './empty-parameter.js';
import { enumValues } from './enum-values.js';
import { errorBody } from './error-body.js';
import { finalCursor } from './final-cursor.js';
import { fractionalLimit } from './fractional-limit.js';
import { invalidCursor } from './invalid-cursor.js';
import { invalidRequestStatus } from './invalid-request-status.js';
import { lastPage } from './last-page.js';
import { limitOutOfBounds } from './limit-out-of-bounds.js';
import { measurementOrder } from './measurement-order.js';
import { nameMatches } from './name-matches.js';
import { optionalFields } from './optional-fields.js';
import { rateLimit } from './rate-limit.js';
import { repeatDelete } from './repeat-delete.js';
import { repeatEventDelete } from './repeat-event-delete.js';
import { successStatus } from './success-status.js';
import { totalCounts } from './total-counts.js';
import { unauthorizedStatus } from './unauthorized-status.js';
import { undocumentedFields } from './undocumented-fields.js';
import { unknownBodyMembers } from './unknown-body-members.js';
import { unknownIdentifierStatus } from './unknown-identifier-status.js';
import { unknownQueryParameters } from './unknown-query-parameters.js';
import { unknownToken } from './unknown-token.js';
import { unmatchedRefs } from './unmatched-refs.js';
import { updatedAtOnDelete } from './updated-at-on-delete.js';

/** How each decision is told from exchanges; a decision without an observer does not compile. */
export const OBSERVERS: { readonly [Id in DecisionId]: Observer<Id> } = {
  'success-status': successStatus,
  'customer-id-matches': customerIdMatches,
  'name-matches': nameMatches,
  'duplicate-name': duplicateName,
  'repeat-delete': repeatDelete,
  'unmatched-refs': unmatchedRefs,
  'repeat-event-delete': repeatEventDelete,
  'deleted-events-order': deletedEventsOrder,
  'unknown-body-members': unknownBodyMembers,
  'updated-at-on-delete': updatedAtOnDelete,
  'measurement-order': measurementOrder,
  'total-counts': totalCounts,
  'last-page': lastPage,
  'final-cursor': finalCursor,
  'cursor-lifetime': cursorLifetime,
  'invalid-cursor': invalidCursor,
  'empty-parameter': emptyParameter,
  'fractional-limit': fractionalLimit,
  'limit-out-of-bounds': limitOutOfBounds,
  'unknown-query-parameters': unknownQueryParameters,
  'error-body': errorBody,
  'invalid-request-status': invalidRequestStatus,
  'unknown-identifier-status': unknownIdentifierStatus,
  'unauthorized-status': unauthorizedStatus,
  'unknown-token': unknownToken,
  'optional-fields': optionalFields,
  'enum-values': enumValues,
  'undocumented-fields': undocumentedFields,
  'rate-limit': rateLimit,
};
