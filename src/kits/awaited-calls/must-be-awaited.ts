import { type Call, createCall, forget, located, remember } from './forgotten-calls.js';

/** What matchers returned, until the runner has taken it. */
const fresh = new WeakSet<Promise<unknown>>();

/**
 * An outcome that a test has awaited once both of its ways are handled: `await` does so for a subclass
 * as well, and so do `return`, `.rejects` and `Promise.all`. Of a matcher the runner calls `then`, and
 * returns what that returns to the test.
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

/** Lets what the runner throws later name the line of the test, as jest does by itself. */
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

/** Returns the outcome of a matcher as a promise that must be awaited by the test that called it. */
export function awaitedMatcher<Outcome>(
  { currentConcurrentTestName: test }: { currentConcurrentTestName?(): string | undefined },
  matcher: string,
  outcome: () => Promise<Outcome>,
): Promise<Outcome> {
  const expectation = mustBeAwaited(createCall(`expect(…).${matcher}(…)`, test?.()), outcome);
  fresh.add(expectation);
  return expectation;
}

/** Returns what a call comes to as a promise that must be awaited; a failure names its line. */
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

/** A part of the mock whose verbs, and whose data, must all be awaited by the test that calls them. */
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
