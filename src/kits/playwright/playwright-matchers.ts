import type { Expect, ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import { billingMatchers } from '../matchers/matchers.js';

type Matcher = (
  this: ExpectMatcherState,
  received: unknown,
  ...given: unknown[]
) => Promise<MatcherReturnType>;

/** The matchers of the kits for the `expect` of Playwright. */
export function playwrightMatchers(expect: Expect): Record<string, Matcher> {
  // Its own comparison, which it gives to its asymmetric matchers, and no longer to others.
  function equals(one: unknown, other: unknown): boolean {
    const sample = expect.objectContaining({ value: other }) as unknown as {
      asymmetricMatch(received: unknown): boolean;
    };
    return sample.asymmetricMatch({ value: one });
  }

  const entries = Object.entries(billingMatchers) as [
    string,
    typeof billingMatchers.toHaveReceived,
  ][];
  return Object.fromEntries(
    entries.map(([name, match]): [string, Matcher] => [
      name,
      function (received, ...given) {
        const context = { isNot: this.isNot, equals };
        const outcome = match.call(context, received, ...(given as [string, unknown]));
        // `.resolves` awaits it here; what it returns to the test is a plain promise.
        return this.promise ? outcome.then((result) => result) : outcome;
      },
    ]),
  );
}
