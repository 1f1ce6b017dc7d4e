import type { OperationId } from '../billing/operation.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import type { components } from '../generated/control.js';
import { matchesTemplate } from '../openapi/path-template.js';

/** The members of a fault that say which calls it applies to. */
type Scope = Pick<components['schemas']['FaultRequest'], 'operationId' | 'path'>;

/** A call that a fault may apply to. */
export interface FaultyCall {
  /** Its path and query, still encoded. */
  readonly target: string;
  /** Undefined if no operation answers it. */
  readonly operationId: OperationId | undefined;
}

/** Refuses the path of a fault that no call can have, or that is given with an operation. */
export function refuseOddPath({ path, operationId }: Scope): void {
  if (path === undefined) return;
  if (operationId !== undefined) {
    throw new InvalidInputError('path', 'no path with an operationId', path);
  }
  if (/^\/[^?#]*$/.test(path)) return;
  throw new InvalidInputError('path', 'a path such as /login, without a query', path);
}

/** Whether the fault applies to the call: without a path it applies to operations alone. */
export function concerns({ operationId, path }: Scope, call: FaultyCall): boolean {
  if (path !== undefined) return matchesTemplate(path, call.target.split('?')[0] ?? '');
  return call.operationId !== undefined && (operationId ?? call.operationId) === call.operationId;
}
