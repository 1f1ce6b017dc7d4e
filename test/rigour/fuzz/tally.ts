import { CONTROL_OPERATIONS, SERVICE_OPERATIONS } from './documents.js';
import type { PlannedCall } from './planned-call.js';

const OPERATIONS = [...SERVICE_OPERATIONS, ...CONTROL_OPERATIONS].map((one) => one.operationId);

/** What the calls of a run have come to. */
export class Tally {
  /** How many calls were made. */
  calls = 0;
  readonly #succeeded = new Set<string>();

  note({ operation, method }: PlannedCall, status: number): void {
    this.calls += 1;
    const isOfOperation = method === operation.method && OPERATIONS.includes(operation.operationId);
    if (isOfOperation && status >= 200 && status < 300) this.#succeeded.add(operation.operationId);
  }

  get succeeded(): number {
    return this.#succeeded.size;
  }

  /** The operations that no call succeeded in. */
  get notSucceeded(): readonly string[] {
    return OPERATIONS.filter((operationId) => !this.#succeeded.has(operationId));
  }
}
