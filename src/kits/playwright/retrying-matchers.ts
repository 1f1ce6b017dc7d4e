import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  expect as baseExpect,
  type ExpectMatcherState,
  type MatcherReturnType,
} from '@playwright/test';
import type { AccountControl, Remote } from '#spec';
import { isObject } from '../../core/values/json-value.js';
import { describeJournal, type Evidence } from '../account-of-test/describe-requests.js';
import { accountIn } from '../matchers/account-in.js';
import { EXPECTATIONS, type Expectation } from '../matchers/expectations.js';
import { toMatchContract } from '../matchers/match-contract.js';
import type { WaitingOptions } from '../matchers/matcher-types.js';

/** How long to wait for further requests that could break what holds now. */
const HELD_MS = 500;
const LOOK_AGAIN_MS = 100;

type Account = Remote<AccountControl>;

type Matcher = (
  this: ExpectMatcherState,
  received: unknown,
  ...given: unknown[]
) => Promise<MatcherReturnType>;

/** The matchers that have not settled yet. */
const underWay = new Set<Promise<unknown>>();

/**
 * Waits for the matchers that a test has not awaited: Playwright fails the running test for a
 * rejection that nothing handles.
 */
export async function endMatchers(): Promise<void> {
  await Promise.allSettled(underWay);
  // Node reports rejections once no promise is left to settle.
  await setImmediate();
}

/** The matchers, which look again until the outcome is final or the time is up. */
export function retryingMatchers(): Record<string, Matcher> {
  const all = Object.entries<(...given: never[]) => Expectation>(EXPECTATIONS);
  const retrying = all.map(([name, expectationOf]): [string, Matcher] => [
    name,
    awaitedAtEnd(function (received, ...given) {
      const { options, before } = optionsIn(given, expectationOf.length);
      const expectation = expectationOf(...(before as never[]));
      return lookUntilSettled(this, received, expectation, options.timeout);
    }),
  ]);
  return {
    ...Object.fromEntries(retrying),
    toMatchContract: awaitedAtEnd(toMatchContract as Matcher),
  };
}

/** The options are the last argument, also where the parameters are left out. */
function optionsIn(given: readonly unknown[], most: number) {
  const last = given.at(-1);
  const areLast = given.length > most || (isObject(last) && Object.keys(last).join() === 'timeout');
  const before = areLast ? given.slice(0, -1) : given;
  return { before, options: ((areLast && last) || {}) as WaitingOptions };
}

function awaitedAtEnd(match: Matcher): Matcher {
  return function (...given) {
    const outcome = match.apply(this, given);
    const forget = () => underWay.delete(outcome);
    underWay.add(outcome);
    outcome.then(forget, forget);
    return outcome;
  };
}

async function lookUntilSettled(
  { isNot, timeout: defaultMs }: ExpectMatcherState,
  received: unknown,
  expectation: Expectation,
  timeout: number | undefined,
): Promise<MatcherReturnType> {
  const account = accountIn<Account>(received);
  let lookedAtMs: number | undefined;
  for (;;) {
    const { pass, isFinal, message } = expectation(await remoteEvidence(account), equals);
    lookedAtMs ??= performance.now();
    const isExpected = pass !== isNot;
    const maxMs = timeout ?? (isExpected ? Math.min(defaultMs, HELD_MS) : defaultMs);
    if (isFinal || performance.now() - lookedAtMs >= maxMs) {
      const story = isExpected ? '' : await storyOf(received, account);
      return { pass, message: () => message(isNot, story) };
    }
    await setTimeout(LOOK_AGAIN_MS);
  }
}

export async function remoteEvidence({ journal, faults, stubs }: Account): Promise<Evidence> {
  const [requests, evicted, arranged, stubbed] = await Promise.all([
    journal.list(),
    journal.evicted,
    faults.list(),
    stubs.list(),
  ]);
  return { requests, evicted, faults: arranged, stubs: stubbed };
}

async function storyOf(received: unknown, account: Account): Promise<string> {
  const { story } = received as { story?(): Promise<string> };
  return story ? story() : describeJournal(account.journal);
}

/** Playwright's own comparison, which it exposes only through asymmetric matchers. */
function equals(one: unknown, other: unknown): boolean {
  const sample = baseExpect.objectContaining({ value: other }) as unknown as {
    asymmetricMatch(received: unknown): boolean;
  };
  return sample.asymmetricMatch({ value: one });
}
