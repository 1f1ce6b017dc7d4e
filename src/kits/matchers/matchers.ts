import type { AccountControl, JournalRequest } from '#spec';
import { isObject } from '../../core/values/json-value.js';
import { shown } from '../../core/values/received-value.js';
import {
  describeRequests,
  type Evidence,
  evidenceOf,
} from '../account-of-test/describe-requests.js';
import type { TestMock } from '../account-of-test/use-mock-server.js';
import { accountIn, isPromise } from './account-in.js';
import { type Equals, EXPECTATIONS, type Expectation, type MatcherName } from './expectations.js';
import { type MatcherResult, toMatchContract } from './match-contract.js';

/** What jest and vitest pass to a matcher. */
interface MatcherContext {
  readonly isNot?: boolean;
  readonly equals: Equals;
}

/**
 * The matchers as `expect.extend` accepts them; importing a kit extends its `expect` already.
 *
 * @example
 * import { billingMatchers } from 'usage-billing-mock/vitest';
 * expect.extend(billingMatchers);
 */
export const billingMatchers = {
  toHaveReceived: matcherOf('toHaveReceived'),
  toHaveReceivedTimes: matcherOf('toHaveReceivedTimes'),
  toHaveReceivedInOrder: matcherOf('toHaveReceivedInOrder'),
  toHaveNothingPending: matcherOf('toHaveNothingPending'),
  toMatchContract,
};

/** A matcher that judges at once what was received so far. */
function matcherOf(name: MatcherName) {
  const expectationOf = EXPECTATIONS[name] as (...given: unknown[]) => Expectation;
  return function match(
    this: MatcherContext,
    received: unknown,
    ...given: unknown[]
  ): MatcherResult {
    refuseToWait(name, given, expectationOf.length);
    const { evidence, story } = receivedBy(received, name);
    const { pass, message } = expectationOf(...given)(evidence, this.equals);
    return { pass, message: () => message(this.isNot ?? false, story()) };
  };
}

/** Throws for an option of Playwright's matchers, or whatever else follows the parameters. */
function refuseToWait(name: MatcherName, given: readonly unknown[], most: number): void {
  const last = given.at(-1);
  const isOption = isObject(last) && Object.hasOwn(last, 'timeout');
  if (!isOption && (given.length <= most || last === undefined)) return;
  throw new TypeError(
    `${name} was given ${shown(last)}, but it does not wait. If the request comes later, first await mock.journal.waitFor({ operationId: … }).`,
  );
}

interface ReceivedByAccount {
  readonly evidence: Evidence;
  /** What a failing matcher shows. */
  readonly story: () => string;
}

/** What the mock of a test has received, or an account; requests are those of an account elsewhere. */
function receivedBy(received: unknown, name: MatcherName): ReceivedByAccount {
  if (name !== 'toHaveNothingPending' && areRequests(received)) {
    const evidence = { requests: received, evicted: 0, faults: [], stubs: [] };
    return { evidence, story: () => describeRequests(evidence) };
  }
  const account = accountIn<AccountControl>(received);
  refuseRemote(account.journal.count());
  const evidence = evidenceOf(account);
  const { story = () => describeRequests(evidenceOf(account)) } = received as Partial<TestMock>;
  return { evidence, story };
}

function areRequests(received: unknown): received is readonly JournalRequest[] {
  return (
    Array.isArray(received) &&
    received.every((one) => isObject(one) && Object.hasOwn(one, 'method'))
  );
}

/** Throws for an account of another process, whose verbs all return promises. */
function refuseRemote(count: unknown): void {
  if (!isPromise(count)) return;
  // Nobody waits for it.
  count.catch(() => undefined);
  throw new TypeError(
    'expect() was given an account in another process; expected its requests: expect(await account.journal.list()).',
  );
}
