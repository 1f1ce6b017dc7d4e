import type { OperationId } from '../../billing/operation.js';
import type { operations } from '../../generated/openapi.js';

type Member<Part> = Part extends object ? Partial<Part> : unknown;
type BodyOf<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : unknown;

/** The values that a call must have: some of its path and query parameters and body members. */
type ReceivedParameters<Id extends OperationId> = Member<operations[Id]['parameters']['path']> &
  Member<operations[Id]['parameters']['query']> &
  Member<BodyOf<operations[Id]>>;

/** One of the calls of `toHaveReceivedInOrder`. */
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
   * Passes if the account was called with this operation, and with these parameters and members of
   * the body if some are given; others are allowed. Accepts `mock` or an account. Throws for an
   * operation that the document does not have, and a parameter that neither it nor a call has.
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
   * Passes if such a call was received exactly this number of times.
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
   * Passes if such calls were received one after the other, whatever calls came in between; each is an
   * operation, or an operation with some of its parameters.
   *
   * @example
   * await expect(mock).toHaveReceivedInOrder(['getCustomer', ['deleteContract', { contractId: 'k1' }]]);
   */
  toHaveReceivedInOrder(calls: readonly ExpectedCall[], options?: WaitingOptions): Promise<R>;
  /**
   * Passes if every fault of the account has fired as often as arranged (once if it stays), and every
   * stub of the account was called.
   *
   * @example
   * await expect(mock).toHaveNothingPending();
   */
  toHaveNothingPending(options?: WaitingOptions): Promise<R>;
  /**
   * Passes if a response, wherever it came from, is one that the document allows the operation: its
   * status and its body. Accepts the response of `fetch`, supertest or axios, or `{ status, body }`. A
   * document other than `openapi.yaml`, such as `server.openapi(token)`, may be given.
   *
   * @example
   * await expect(await fetch(`${url}/customers/c1`, init)).toMatchContract('getCustomer');
   */
  toMatchContract(operationId: OperationId, document?: object): Promise<R>;
}

/**
 * How long a matcher waits, in milliseconds of real time, for the requests that are expected, or for
 * further requests that would break the expectation. If left out, not at all under jest and vitest;
 * in Playwright as long as `expect.timeout`, and 500 ms at most for further requests.
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
