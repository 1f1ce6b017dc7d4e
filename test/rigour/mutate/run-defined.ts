import type { Circus } from '@jest/types';
import { expect } from 'expect';
import * as circus from 'jest-circus';
import { ModuleMocker } from 'jest-mock';
import { reached } from './reached.js';
import type { Order, TestRun } from './worker-messages.js';

const { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = circus;
const jest = new ModuleMocker(globalThis);
Object.assign(globalThis, {
  ...{ afterAll, afterEach, beforeAll, beforeEach, describe, it, test, expect },
  jest: {
    fn: jest.fn.bind(jest),
    spyOn: jest.spyOn.bind(jest),
    restoreAllMocks: jest.restoreAllMocks.bind(jest),
  },
});

/** One file of tests: how it is defined, which of its tests are run, and who is told of each. */
interface DefinedFile {
  readonly file: string;
  readonly order: Order;
  readonly selected: ReadonlySet<string> | undefined;
  define(): Promise<void>;
  onProgress(test: string): void;
  onTest(run: TestRun): void;
  /** What happened outside of the tests: the mutants that it reached. */
  onOutside(reached: readonly number[], error?: string): void;
}

/** The time that a test may take beyond ten times what it takes without a mutant. */
const SPARE_MS = 6_000;
/** The time that a test may take while it is measured, on a machine with other work. */
const LONGEST_MS = 200_000;

function nameOf(entry: Circus.TestEntry | Circus.DescribeBlock): string {
  const { parent } = entry;
  return parent?.parent ? `${nameOf(parent)} > ${entry.name}` : entry.name;
}

function textOf(errors: readonly unknown[]): string {
  const [first] = errors.flat();
  return String((first as Error | undefined)?.stack ?? first);
}

/** Runs the tests that a file defines; those that were known and are not selected are left out. */
export async function runDefined(defined: DefinedFile): Promise<void> {
  const { order, file, selected } = defined;
  circus.resetState();
  Object.assign(circus.getState(), { testTimeout: 20_000, maxConcurrency: 1 });
  let hasFailed = false;
  const outside: number[] = [];
  const isLeftOut = (name: string) =>
    selected !== undefined && !selected.has(name) && `${file} > ${name}` in order.durationsMs;
  const handle = (event: Circus.Event) => {
    if (event.name === 'test_start') {
      outside.push(...reached.take());
      const name = nameOf(event.test);
      const usualMs = order.durationsMs[`${file} > ${name}`];
      if (order.isRecording) event.test.timeout = LONGEST_MS;
      else if (usualMs !== undefined) event.test.timeout = usualMs * 10 + SPARE_MS;
      const isEnded = hasFailed && !order.isRecording;
      if (isEnded || isLeftOut(name)) event.test.mode = 'skip';
      else defined.onProgress(name);
    }
    if (event.name !== 'test_done') return;
    const { errors, duration } = event.test;
    hasFailed ||= errors.length > 0;
    defined.onTest({
      name: nameOf(event.test),
      durationMs: duration ?? 0,
      reached: reached.take(),
      ...(errors.length > 0 && { error: textOf(errors) }),
    });
  };
  let error: string | undefined;
  circus.addEventHandler(handle);
  try {
    await defined.define();
    const { unhandledErrors } = await circus.run();
    if (unhandledErrors.length > 0) error = textOf(unhandledErrors);
  } catch (thrown) {
    error = textOf([thrown]);
  } finally {
    circus.removeEventHandler(handle);
  }
  defined.onOutside([...outside, ...reached.take()], error);
}
