import type { OperationId } from '../../core/billing/operation.js';
import type { operations } from '../../generated/openapi.js';

/** Some members of a part. Without `strictNullChecks`, one that an operation lacks is `never`. */
type Some<Part> = [NonNullable<Part>] extends [never]
  ? unknown
  : { [Name in keyof NonNullable<Part>]?: NonNullable<Part>[Name] | undefined };
type BodyOf<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/**
 * Some of the path and query parameters and body members of a call; of any operation's where a test
 * runner's types have lost the operation, as behind `.resolves`.
 */
type ReceivedParameters<Id extends OperationId> = Id extends OperationId
  ? Some<operations[Id]['parameters']['path']> &
      Some<operations[Id]['parameters']['query']> &
      Some<BodyOf<operations[Id]>>
  : never;

type ExpectedCall = {
  [Id in OperationId]: Id | readonly [Id, ReceivedParameters<Id>];
}[OperationId];

/**
 * The matchers of the kits, as test runners type them. Await each, or its test fails.
 *
 * @example
 * await expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
 */
export interface BillingMatchers<R> {
  /**
   * Passes if the account received a call of this operation, with at least these parameters and
   * body members. Accepts the test's `mock` (in Playwright, `billing`) or an account. Throws for an
   * operation that the document does not have, and for a parameter that neither the document nor a
   * call has.
   *
   * @example
   * await expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
   */
  toHaveReceived<Id extends OperationId>(
    operationId: Id,
    parameters?: ReceivedParameters<Id>,
    options?: WaitingOptions,
  ): Promise<R>;
  /**
   * Passes if the account received exactly this many calls of this operation, with at least these
   * parameters and body members.
   *
   * @example
   * await expect(mock).toHaveReceivedTimes('listMeasurements', 3, { limit: 100 });
   */
  toHaveReceivedTimes<Id extends OperationId>(
    operationId: Id,
    times: number,
    parameters?: ReceivedParameters<Id>,
    options?: WaitingOptions,
  ): Promise<R>;
  /**
   * Passes if the account received these calls in this order, whatever calls came in between. Each
   * is an operation, or an operation with some of its parameters.
   *
   * @example
   * await expect(mock).toHaveReceivedInOrder(['getCustomer', ['deleteContract', { contractId: 'k1' }]]);
   */
  toHaveReceivedInOrder(calls: readonly ExpectedCall[], options?: WaitingOptions): Promise<R>;
  /**
   * Passes if every fault of the account has fired as often as it should (at least once, with
   * `times: 'always'`) and every stub of the account was called.
   *
   * @example
   * await expect(mock).toHaveNothingPending();
   */
  toHaveNothingPending(options?: WaitingOptions): Promise<R>;
  /**
   * Passes if the document allows this response of the operation, by its status and body. Accepts a
   * response from `fetch`, supertest or axios, or `{ status, body }`. You can pass a document other
   * than `openapi.yaml`, such as `server.openapi(token)`.
   *
   * @example
   * await expect(await fetch(`${url}/customers/c1`, init)).toMatchContract('getCustomer');
   */
  toMatchContract(operationId: OperationId, document?: object): Promise<R>;
}

/**
 * How long a matcher waits for the expected requests, or for further ones that would break the
 * expectation, in milliseconds of real time. By default, matchers do not wait under jest and
 * vitest. In Playwright they wait for `expect.timeout`, and at most 500 ms for further requests.
 *
 * @example
 * import type { WaitingOptions } from 'usage-billing-mock/vitest';
 *
 * const options: WaitingOptions = { timeout: 2_000 };
 * await expect(mock).not.toHaveReceived('deleteContract', {}, options);
 */
export interface WaitingOptions {
  readonly timeout?: number;
}
