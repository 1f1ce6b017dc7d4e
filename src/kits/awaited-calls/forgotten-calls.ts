import { setImmediate } from 'node:timers';

/** A call that its test must await, and the tests of which one has made it. */
export interface Call {
  readonly name: string;
  /** Created where it was called. */
  readonly called: Error;
  readonly tests: Set<unknown>;
}

/** The calls that nothing has awaited yet. */
const forgotten = new Map<Promise<unknown>, Call>();
/** The tests that have begun and not ended, by what identifies them in their runner. */
const running = new Set<unknown>();
/** Whether hooks report forgotten calls. If so, their rejections are not also reported as unhandled. */
let isWatched = false;

/** A call by this test, or by one of the running tests if the runner does not know which. */
export function createCall(name: string, test: unknown): Call {
  return { name, called: new Error(name), tests: new Set(test === undefined ? running : [test]) };
}

/** Remembers a call until something awaits it. */
export function remember(outcome: Promise<unknown>, call: Call): void {
  forgotten.set(outcome, call);
  if (isWatched) Promise.prototype.then.call(outcome, undefined, () => undefined);
}

/** The call, now awaited; undefined if it was before. */
export function forget(outcome: Promise<unknown>): Call | undefined {
  const call = forgotten.get(outcome);
  forgotten.delete(outcome);
  return call;
}

/**
 * Begins a test; call what it returns when the test has ended. That throws for the calls that no test
 * awaits any more: of tests that run at the same time it may be the last that reports a call.
 */
export function beginTest(test: unknown): () => Promise<void> {
  isWatched = true;
  running.add(test);
  return async () => {
    // An `await` takes effect a moment after it.
    if (forgotten.size > 0) await new Promise((resolve) => setImmediate(resolve));
    running.delete(test);
    for (const { tests } of forgotten.values()) tests.delete(test);
    reportCalls(({ tests }) => tests.size === 0);
  };
}

/** Throws for the calls of tests that have no hooks, as those of jest that run at the same time. */
export function endFile(): void {
  reportCalls(({ tests }) => ![...tests].some((test) => running.has(test)));
}

function reportCalls(isOver: (call: Call) => boolean): void {
  const calls = [...forgotten].filter(([, call]) => isOver(call));
  for (const [outcome] of calls) forgotten.delete(outcome);
  const [first, ...others] = calls.map(([, call]) => call);
  if (!first) return;
  const { name, called } = first;
  const message = [
    `${name} was not awaited, so its failure cannot fail the test. Write \`await ${name}\`.`,
    ...new Set(others.map((other) => `Nor was ${other.name}, at ${placeOf(other.called)}.`)),
  ].join('\n');
  const error = new Error(message);
  error.stack = [`Error: ${message}`, ...framesOf(called)].join('\n');
  throw error;
}

/** The failure with the frames of the call that it came from, if its stack has none of them. */
export function located(failure: unknown, called: Error): unknown {
  const { name, message, stack } = Object(failure) as Partial<Error>;
  if (stack === undefined) return failure;
  const frames = framesOf(called);
  if (!frames.some((frame) => asPaths(stack).includes(asPaths(frame)))) {
    (failure as Error).stack = [`${name}: ${message}`, ...frames].join('\n');
  }
  return failure;
}

/** The file and line of the call in the test, as the runner writes it. */
function placeOf(called: Error): string | undefined {
  const frame = framesOf(called).find((line) => !line.includes('node_modules'));
  return (
    frame &&
    asPaths(frame)
      .replace(/^\s+at /, '')
      .replace(/^[^(]*\((.*)\)$/, '$1')
  );
}

/** The frames of a call, without those of Node. */
function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node:'));
}

/** Frames of ES modules as Playwright writes them. */
function asPaths(stack: string): string {
  return stack.replaceAll('file://', '');
}
