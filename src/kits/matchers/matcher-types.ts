import type { OperationId, operations } from '#spec';

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
 * The matchers of the kits, as test runners type them. In Playwright, they take `Options` as well, as
 * the last argument, and you await each.
 *
 * @example
 * expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
 */
export interface BillingMatchers<R, Options extends readonly unknown[] = []> {
  /**
   * Passes if the account received a call of this operation, with at least these parameters and
   * body members. Accepts the test's `mock` (in Playwright, `billing`), an account or, in jest and
   * vitest, the requests of an account elsewhere. Throws for an operation that the document does not
   * have, and for a parameter that neither the document nor a call has.
   *
   * @example
   * expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
   */
  toHaveReceived<Id extends OperationId>(
    operationId: Id,
    parameters?: ReceivedParameters<Id> | Options[0],
    ...options: Options
  ): R;
  /**
   * Passes if the account received exactly this many calls of this operation, with at least these
   * parameters and body members.
   *
   * @example
   * expect(mock).toHaveReceivedTimes('listMeasurements', 3, { limit: 100 });
   */
  toHaveReceivedTimes<Id extends OperationId>(
    operationId: Id,
    times: number,
    parameters?: ReceivedParameters<Id> | Options[0],
    ...options: Options
  ): R;
  /**
   * Passes if the account received these calls in this order, whatever calls came in between. Each
   * is an operation, or an operation with some of its parameters.
   *
   * @example
   * expect(mock).toHaveReceivedInOrder(['getCustomer', ['deleteContract', { contractId: 'k1' }]]);
   */
  toHaveReceivedInOrder(calls: readonly ExpectedCall[], ...options: Options): R;
  /**
   * Passes if every fault of the account has fired as often as it should (at least once, with
   * `times: 'always'`) and every stub of the account was called.
   *
   * @example
   * expect(mock).toHaveNothingPending();
   */
  toHaveNothingPending(...options: Options): R;
  /**
   * Passes if the document allows this response of the operation, by its status and body. Accepts a
   * response from `fetch`, supertest or axios, or `{ status, body }`. You can pass a document other
   * than `openapi.yaml`, such as `server.openapi(token)`. Await it in every runner.
   *
   * @example
   * await expect(await fetch(`${url}/customers/c1`, init)).toMatchContract('getCustomer');
   */
  toMatchContract(operationId: OperationId, document?: object): Promise<Awaited<R>>;
}

/**
 * How long a matcher of Playwright waits, in milliseconds. It waits for the expected requests, or
 * for further ones that would break the expectation. The default is `expect.timeout`, but at most
 * 500 ms for further requests.
 *
 * @example
 * import type { WaitingOptions } from 'usage-billing-mock/playwright';
 *
 * const options: WaitingOptions = { timeout: 2_000 };
 * test('nothing is deleted', async ({ billing }) => {
 *   await expect(billing).not.toHaveReceived('deleteContract', options);
 * });
 */
export interface WaitingOptions {
  readonly timeout?: number;
}
