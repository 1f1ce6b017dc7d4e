import type { OperationId } from '../../../core/billing/operation.js';
import type { RecordChecks } from '../../../core/datasets/fixture/schema-checks.js';
import { InvalidInputError } from '../../../core/errors/invalid-input.js';
import { isObject, memberOf } from '../../../core/values/json-value.js';
import type { Mistake } from '../../../core/values/mistake.js';
import { sortableInstant } from '../../../core/values/time.js';
import type { NotedRequest } from './noted-request.js';
import { partsOf } from './shown-request.js';

/**
 * Selects requests; an empty filter selects all.
 *
 * @example
 * const filter: JournalFilter = { operationId: 'deleteContract', status: 404 };
 */
export interface JournalFilter {
  readonly operationId?: OperationId;
  readonly status?: number;
  readonly path?: string;
  /** RFC 3339; selects requests received then or later. */
  readonly since?: string;
}

export function checkFilter(filter: JournalFilter, checks: RecordChecks): void {
  if (isObject(filter) && Object.keys(filter).length === 0) return;
  const mistakes = [...checks.value('JournalFilter', filter), ...refusedMembers(filter)];
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
}

/** Refuses `of`: over HTTP it selects a journal, but in the library each journal is an object. */
function refusedMembers(filter: object | null): Mistake[] {
  if (!Object.keys(filter ?? {}).includes('of')) return [];
  const expected = 'no such member: server.journal and account(token).journal are separate';
  return [{ path: ['of'], expected, received: memberOf(filter, 'of'), fix: 'Remove it.' }];
}

export function passes(
  { operationId, status, path, since }: JournalFilter,
  noted: NotedRequest,
): boolean {
  return (
    (operationId === undefined || noted.operationId === operationId) &&
    (status === undefined || noted.status === status) &&
    (path === undefined || partsOf(noted).path === path) &&
    (since === undefined ||
      sortableInstant(new Date(noted.atMs).toISOString()) >= sortableInstant(since))
  );
}
