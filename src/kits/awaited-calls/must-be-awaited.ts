import { type Call, createCall, forget, located, remember } from './report-unawaited-calls.js';

/** Promises that matchers have returned and the runner has not yet taken over. */
const fresh = new WeakSet<Promise<unknown>>();

/**
 * Counts as awaited once a call of `then` handles both outcomes, as those of `await`, `return`,
 * `.rejects` and `Promise.all` do. The runner itself calls `then` on what a matcher returns, and
 * passes the resulting promise to the test, so that one must be awaited as well.
 */
class Expectation<Outcome> extends Promise<Outcome> {
  // biome-ignore lint/suspicious/noThenProperty: it has to know who awaits it.
  override then<Kept = Outcome, Broken = never>(
    onFulfilled?: ((outcome: Outcome) => Kept | PromiseLike<Kept>) | null,
    onRejected?: ((error: unknown) => Broken | PromiseLike<Broken>) | null,
  ): Promise<Kept | Broken> {
    const call = forget(this);
    const isRunner = fresh.delete(this);
    const next = super.then(
      isRunner && call && onFulfilled ? locating(call, onFulfilled) : onFulfilled,
      onRejected,
    );
    if (call && (isRunner || !onFulfilled || !onRejected)) remember(next, call);
    return next;
  }
}

/**
 * Adds the line of the test to an error that the runner throws once the matcher has settled. jest
 * adds it itself.
 */
function locating<Outcome, Result>(
  { called }: Call,
  act: (outcome: Outcome) => Result,
): (outcome: Outcome) => Result {
  return (outcome) => {
    try {
      return act(outcome);
    } catch (failure) {
      throw located(failure, called);
    }
  };
}

/** Runs a matcher; the test that called it must await the returned promise. */
export function awaitedMatcher<Outcome>(
  { currentConcurrentTestName: test }: { currentConcurrentTestName?(): string | undefined },
  matcher: string,
  outcome: () => Promise<Outcome>,
): Promise<Outcome> {
  const expectation = mustBeAwaited(createCall(`expect(…).${matcher}(…)`, test?.()), outcome);
  fresh.add(expectation);
  return expectation;
}

/** If the call fails, the stack has the line of the test that made it. */
function mustBeAwaited<Outcome>(call: Call, outcome: () => Promise<Outcome>): Promise<Outcome> {
  const expectation = new Expectation<Outcome>((resolve) => {
    resolve(
      outcome().catch((failure: unknown) => {
        throw located(failure, call.called);
      }),
    );
  });
  remember(expectation, call);
  return expectation;
}

/** Wraps a part of the mock: a test must await its method calls, and members that are promises. */
export function withAwaitedVerbs<Part extends object>(
  part: Part,
  name: string,
  test: unknown,
): Part {
  return new Proxy(part, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      const call = `${name}.${String(member)}`;
      if (value instanceof Promise) return mustBeAwaited(createCall(call, test), async () => value);
      if (typeof value === 'function') {
        return (...given: unknown[]) =>
          mustBeAwaited(createCall(`${call}(…)`, test), async () =>
            Reflect.apply(value, target, given),
          );
      }
      return typeof value === 'object' && value !== null
        ? withAwaitedVerbs(value, call, test)
        : value;
    },
  });
}
