import { cut, shown } from '../../core/values/received-value.js';
import { describePending, listPending } from '../account-of-test/describe-requests.js';
import { awaitedMatcher } from '../awaited-calls/must-be-awaited.js';
import type { AnyResponse } from '../in-process/library.js';
import { loadLibrary } from '../in-process/load-library.js';
import {
  accountOf,
  type Expected,
  findCalls,
  inWords,
  type MatcherContext,
  refusePromise,
  refuseUnknownOperation,
  storyOf,
} from './find-calls.js';
import { type Finding, lookUntilSettled } from './look-until-settled.js';
import type { WaitingOptions } from './matcher-types.js';

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
    options?: WaitingOptions,
  ): Promise<MatcherResult> {
    const expected: Expected = [operationId, parameters];
    return matchCalls(this, 'toHaveReceived', { received, options }, async () => {
      const { length } = await findCalls(this, received, expected);
      return { pass: length > 0, isFinal: length > 0, what: inWords(expected) };
    });
  },

  toHaveReceivedTimes(
    this: MatcherContext,
    received: unknown,
    operationId: string,
    times: number,
    parameters?: unknown,
    options?: WaitingOptions,
  ): Promise<MatcherResult> {
    const expected: Expected = [operationId, parameters];
    return matchCalls(this, 'toHaveReceivedTimes', { received, options }, async () => {
      refuseInvalidTimes(times);
      const { length } = await findCalls(this, received, expected);
      const what = `${inWords(expected)} ${timesInWords(times)}; received ${timesInWords(length)}`;
      return { pass: length === times, isFinal: length > times, what };
    });
  },

  toHaveReceivedInOrder(
    this: MatcherContext,
    received: unknown,
    calls: readonly (string | Expected)[],
    options?: WaitingOptions,
  ): Promise<MatcherResult> {
    return matchCalls(this, 'toHaveReceivedInOrder', { received, options }, async () => {
      if (!Array.isArray(calls) || calls.length === 0) {
        throw new TypeError(
          `The calls are ${shown(calls)}; expected a list such as ['getCustomer', ['deleteContract', { contractId: … }]].`,
        );
      }
      const expected = calls.map((call): Expected => (typeof call === 'string' ? [call] : call));
      let last = 0;
      for (const one of expected) {
        const found = await findCalls(this, received, one);
        last = found.find((id) => id > last) ?? Number.POSITIVE_INFINITY;
      }
      const pass = Number.isFinite(last);
      return {
        pass,
        isFinal: pass,
        what: `${expected.map(inWords).join(', then ')}, in this order`,
      };
    });
  },

  toHaveNothingPending(
    this: MatcherContext,
    received: unknown,
    options?: WaitingOptions,
  ): Promise<MatcherResult> {
    return awaitedMatcher(this, 'toHaveNothingPending', async () => {
      const account = accountOf(received);
      const { pass } = await lookUntilSettled(this, options, async () => {
        const pass = (await listPending(account)).length === 0;
        return { pass, isFinal: pass };
      });
      const pending = (await describePending(account)) || '\nNothing is pending.';
      const expected = `${this.isNot ? 'a fault or a stub' : 'no fault and no stub'} to be pending`;
      return { pass, message: () => `Expected ${expected} in the account.${pending}` };
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
      const expected = `${this.isNot ? 'no response' : 'a response'} from ${operationId} that matches the document`;
      const { status, body = response.data } = response;
      const was = `${status} ${typeof body === 'string' ? cut(body) : shown(body)}`;
      const lines = [`Expected ${expected}.`, ...broken, `Received ${was}`];
      return { pass: broken.length === 0, message: () => lines.join('\n  ') };
    });
  },
};

function refuseInvalidTimes(times: unknown): void {
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
      'The body of the Response was already read; expected an unread body. Match the Response before you read it, or pass { status, body }.',
    );
  }
  if (typeof (received as AnyResponse | undefined)?.status === 'number')
    return received as AnyResponse;
  throw new TypeError(
    `expect() was given ${shown(received)}; expected a Response, a supertest or axios response, or { status, body }.`,
  );
}

function timesInWords(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

/** Fetches the story only if the matcher fails. */
function matchCalls(
  context: MatcherContext,
  matcher: string,
  {
    received,
    options,
  }: { readonly received: unknown; readonly options?: WaitingOptions | undefined },
  find: () => Promise<Finding & { readonly what: string }>,
): Promise<MatcherResult> {
  const { isNot = false } = context;
  return awaitedMatcher(context, matcher, async () => {
    const { pass, what } = await lookUntilSettled(context, options, find);
    const story = pass === isNot ? await storyOf(received) : '';
    const expected = `${isNot ? 'not ' : ''}to have received ${what}`;
    return {
      pass,
      message: () => `Expected the account ${expected}. It received, latest first:\n${story}`,
    };
  });
}
