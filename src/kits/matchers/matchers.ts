import type { OperationId } from '../../billing/operation.js';
import type { operations } from '../../generated/openapi.js';
import { cut, shown } from '../../values/received-value.js';
import { awaitedMatcher } from '../awaited-calls/must-be-awaited.js';
import type { AnyResponse } from '../in-process/library.js';
import { loadLibrary } from '../in-process/load-library.js';
import {
  type FoundCalls,
  findCalls,
  type MatcherContext,
  refusePromise,
  refuseUnknownOperation,
} from './received-calls.js';

type Member<Part> = Part extends object ? Partial<Part> : unknown;
type BodyOf<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : unknown;

/** What a call is matched by: some of its path and query parameters and members of its body. */
type ReceivedParameters<Id extends OperationId> = Member<operations[Id]['parameters']['path']> &
  Member<operations[Id]['parameters']['query']> &
  Member<BodyOf<operations[Id]>>;

/**
 * The matchers of the kits, as test runners type them. Await each: one that was not fails its test.
 *
 * @example
 * await expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
 */
export interface BillingMatchers<R> {
  /**
   * Passes if the account was called with this operation, and with these parameters and members of
   * the body if some are given; further ones are allowed. Accepts `mock` or an account. Throws for
   * an operation that the document does not have, and a parameter that neither it nor a call has.
   *
   * @example
   * await expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
   */
  toHaveReceived<Id extends OperationId>(
    operationId: Id,
    parameters?: ReceivedParameters<Id>,
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
  ): Promise<R>;
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

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * The matchers as `expect.extend` accepts them; importing a kit extends its `expect` already.
 *
 * @example
 * import { billingMatchers } from 'usage-billing-mock/vitest';
 * expect.extend(billingMatchers);
 */
export const billingMatchers = {
  toHaveReceived(
    this: MatcherContext,
    received: unknown,
    operationId: string,
    parameters?: unknown,
  ): Promise<MatcherResult> {
    return awaitedMatcher(this, 'toHaveReceived', async () => {
      const calls = await findCalls(this, received, operationId, parameters);
      return resultOf(this, calls, calls.found > 0);
    });
  },

  toHaveReceivedTimes(
    this: MatcherContext,
    received: unknown,
    operationId: string,
    times: number,
    parameters?: unknown,
  ): Promise<MatcherResult> {
    return awaitedMatcher(this, 'toHaveReceivedTimes', async () => {
      refuseOddTimes(times);
      const calls = await findCalls(this, received, operationId, parameters);
      const howOften = ` ${timesInWords(times)}, and it did ${timesInWords(calls.found)}`;
      return resultOf(this, calls, calls.found === times, howOften);
    });
  },

  toMatchContract(
    this: MatcherContext,
    received: unknown,
    operationId: string,
    document?: object,
  ): Promise<MatcherResult> {
    return awaitedMatcher(this, 'toMatchContract', async () => {
      refuseUnknownOperation(operationId);
      const response = await responseOf(received);
      const { matchDocument } = await loadLibrary();
      const broken = matchDocument(operationId, response, await document);
      const expected = `${this.isNot ? 'no answer' : 'an answer'} of ${operationId} that matches the document`;
      const { status, body = response.data } = response;
      const was = `${status} ${typeof body === 'string' ? cut(body) : shown(body)}`;
      const lines = [`Expected ${expected}.`, ...broken, `Received ${was}`];
      return { pass: broken.length === 0, message: () => lines.join('\n  ') };
    });
  },
};

/** Throws for a number of times that is not a count. */
function refuseOddTimes(times: unknown): void {
  if (Number.isInteger(times) && Number(times) >= 0) return;
  throw new TypeError(
    `The number of times is ${shown(times)}; expected a whole number, at least 0.`,
  );
}

async function responseOf(received: unknown): Promise<AnyResponse> {
  refusePromise(received);
  if (received instanceof Response) {
    if (!received.bodyUsed) return { status: received.status, body: await received.clone().text() };
    throw new TypeError(
      'The body of the Response has been read; expected one that has not. Match it before it is read, or give { status, body }.',
    );
  }
  if (typeof (received as AnyResponse | undefined)?.status === 'number')
    return received as AnyResponse;
  throw new TypeError(
    `expect() was given ${shown(received)}; expected an answer: a Response, that of supertest or axios, or { status, body }.`,
  );
}

function timesInWords(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

/** The result with its message, for which the story is fetched only if it will be shown. */
async function resultOf(
  { isNot = false }: MatcherContext,
  { call, story }: FoundCalls,
  pass: boolean,
  howOften = '',
): Promise<MatcherResult> {
  const received = pass === isNot ? await story() : '';
  const expected = `${isNot ? 'not ' : ''}to have received ${call}${howOften}`;
  return { pass, message: () => `Expected the account ${expected}. It received:\n${received}` };
}
