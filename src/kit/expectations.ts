import { setImmediate } from 'node:timers';

/** What matchers and verbs returned and nothing has awaited, with the error to report. */
const forgotten = new Map<Promise<unknown>, Error>();
/** What matchers returned, until the runner has taken it. */
const fresh = new WeakSet<Promise<unknown>>();
/** Whether a hook reports what was not awaited: then its rejection is not reported as unhandled too. */
let isWatched = false;

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
    const error = forgotten.get(this);
    forgotten.delete(this);
    const isRunner = fresh.delete(this);
    const next = super.then(
      isRunner && error && onFulfilled ? locating(error, onFulfilled) : onFulfilled,
      onRejected,
    );
    if (error && (isRunner || !onFulfilled || !onRejected)) remember(next, error);
    return next;
  }
}

/** Lets what the runner throws later name the line of the test, as jest does by itself. */
function locating<Outcome, Result>(
  called: Error,
  act: (outcome: Outcome) => Result,
): (outcome: Outcome) => Result {
  return (outcome) => {
    try {
      return act(outcome);
    } catch (failure) {
      throw located(failure as Error, called);
    }
  };
}

/** The failure with the frames of the call, if it names none of them. */
function located(failure: Error, { stack = '' }: Error): Error {
  const frames = stack.split('\n').filter((line) => /^\s+at (?!.*node:)/.test(line));
  if (!frames.some((frame) => asPaths(failure.stack).includes(asPaths(frame)))) {
    failure.stack = [`${failure.name}: ${failure.message}`, ...frames].join('\n');
  }
  return failure;
}

/** Frames of ES modules as Playwright writes them. */
function asPaths(stack = ''): string {
  return stack.replaceAll('file://', '');
}

/** Returns the outcome of a matcher as a promise that must be awaited. */
export function expectationOf<Outcome>(
  matcher: string,
  outcome: () => Promise<Outcome>,
): Promise<Outcome> {
  const expectation = mustBeAwaited(`expect(…).${matcher}(…)`, outcome);
  fresh.add(expectation);
  return expectation;
}

/** Returns what a call comes to as a promise that must be awaited. */
function mustBeAwaited<Outcome>(
  call: string,
  outcome: (called: Error) => Promise<Outcome>,
): Promise<Outcome> {
  const sentence = `${call} was not awaited, so that it could not fail its test, nor be sure to come before what follows; write await ${call}.`;
  const called = new Error(sentence);
  const expectation = new Expectation<Outcome>((resolve) => resolve(outcome(called)));
  remember(expectation, called);
  return expectation;
}

/** A part of the mock whose verbs, and whose data, must all be awaited. */
export function withAwaitedVerbs<Part extends object>(part: Part, name: string): Part {
  return new Proxy(part, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      const call = `${name}.${String(member)}`;
      if (value instanceof Promise) return mustBeAwaited(call, async () => value);
      if (typeof value === 'function') {
        return (...given: unknown[]) =>
          mustBeAwaited(`${call}(…)`, async (called) => {
            try {
              return await Reflect.apply(value, target, given);
            } catch (failure) {
              throw located(failure as Error, called);
            }
          });
      }
      return typeof value === 'object' && value !== null ? withAwaitedVerbs(value, call) : value;
    },
  });
}

/**
 * Returns what to call after each test: it throws for an expectation that the test, now ended, has
 * not awaited.
 */
export function watchExpectations(): () => Promise<void> {
  isWatched = true;
  return async () => {
    if (forgotten.size === 0) return;
    // An `await` takes effect a moment after it, and other tests may be running beside this one.
    await new Promise((resolve) => setImmediate(resolve));
    const [error] = forgotten.values();
    forgotten.clear();
    if (error) throw error;
  };
}

function remember(expectation: Promise<unknown>, error: Error): void {
  forgotten.set(expectation, error);
  if (isWatched) Promise.prototype.then.call(expectation, undefined, () => undefined);
}
