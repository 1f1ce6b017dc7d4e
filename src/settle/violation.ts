import type { OperationId } from '../billing/operation.js';

/**
 * A way in which successes do not match the document.
 *
 * @example
 * const { violations } = await settle({ target: url, token: 'my-token' });
 * const [first]: readonly Violation[] = violations;
 */
export interface Violation {
  readonly kind: ViolationKind;
  readonly operationId: OperationId;
  /** JSON pointer into the body, with `*` for every item of a list and every name of a map. */
  readonly pointer: string;
  /** In how many places it was seen. */
  readonly count: number;
  /** How many places were looked at: the records, or the items of the list. */
  readonly of: number;
  readonly expected?: string;
  /** What was received, without personal data: its shape, or the values of an open list. */
  readonly example?: string;
}

/** `never-present` is a documented optional member that no record of its kind has. */
export type ViolationKind =
  | 'unlisted-member'
  | 'unlisted-value'
  | 'wrong-type'
  | 'wrong-format'
  | 'out-of-bounds'
  | 'missing-member'
  | 'never-present';
