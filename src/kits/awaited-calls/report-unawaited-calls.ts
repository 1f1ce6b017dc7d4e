import { setImmediate } from 'node:timers';

/** A call that must be awaited, and the tests that may have made it. */
export interface Call {
  readonly name: string;
  /** Created where the call was made, for its stack. */
  readonly called: Error;
  readonly tests: Set<unknown>;
}

/** The calls that nothing has awaited yet. */
const unawaited = new Map<Promise<unknown>, Call>();
/** The ids of the tests that are running. */
const running = new Set<unknown>();
/** Whether hooks report unawaited calls, so that Node need not report their rejections. */
let isWatched = false;

/** A call by this test, or by any running test if the runner does not know which. */
export function createCall(name: string, test: unknown): Call {
  return { name, called: new Error(name), tests: new Set(test === undefined ? running : [test]) };
}

export function remember(outcome: Promise<unknown>, call: Call): void {
  unawaited.set(outcome, call);
  if (isWatched) Promise.prototype.then.call(outcome, undefined, () => undefined);
}

export function forget(outcome: Promise<unknown>): Call | undefined {
  const call = unawaited.get(outcome);
  unawaited.delete(outcome);
  return call;
}

/**
 * Begins a test; returns a function to call when it has ended. That function throws for calls that
 * nothing can await any more. If tests run at the same time, the last of them may report another's
 * call.
 */
export function beginTest(test: unknown): () => Promise<void> {
  isWatched = true;
  running.add(test);
  return async () => {
    // An `await` calls `then` only a moment later.
    if (unawaited.size > 0) await new Promise((resolve) => setImmediate(resolve));
    running.delete(test);
    for (const { tests } of unawaited.values()) tests.delete(test);
    reportCalls(({ tests }) => tests.size === 0);
  };
}

/** Throws for the calls of tests without hooks, such as concurrent tests of jest. */
export function endFile(): void {
  reportCalls(({ tests }) => ![...tests].some((test) => running.has(test)));
}

function reportCalls(isOver: (call: Call) => boolean): void {
  const calls = [...unawaited].filter(([, call]) => isOver(call));
  for (const [outcome] of calls) unawaited.delete(outcome);
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

/** Replaces the frames of a failure with those of the call, unless its stack has one of them. */
export function located(failure: unknown, called: Error): unknown {
  const { name, message, stack } = Object(failure) as Partial<Error>;
  if (stack === undefined) return failure;
  const frames = framesOf(called);
  if (!frames.some((frame) => asPaths(stack).includes(asPaths(frame)))) {
    (failure as Error).stack = [`${name}: ${message}`, ...frames].join('\n');
  }
  return failure;
}

/** The file and line of a call in its test, as the runner would write it. */
function placeOf(called: Error): string | undefined {
  const frame = framesOf(called).find((line) => !line.includes('node_modules'));
  return (
    frame &&
    asPaths(frame)
      .replace(/^\s+at /, '')
      .replace(/^[^(]*\((.*)\)$/, '$1')
  );
}

function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node:'));
}

/** Writes the frames of ES modules as Playwright does. */
function asPaths(stack: string): string {
  return stack.replaceAll('file://', '');
}
