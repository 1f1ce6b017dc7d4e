import { relative, sep } from 'node:path';

/** How a test ended. It passed if there are no errors. */
export interface EndedTest {
  readonly errors: readonly unknown[];
  /** The whole title; the one that the test began with if left out. */
  readonly title?: string | undefined;
}

/** What a kit does when the test ends. */
export interface EndOfTest {
  /** What a failed test shows. */
  story(): Promise<string>;
  /** Tells the mock how the test ended. */
  mark(ended: EndedTest): Promise<void>;
}

/** Read at the start, because a test may change it. */
const FOLDER = process.cwd();

/** The path of a test file as all workers of a runner write it. */
export function shownFile(file: string): string {
  return relative(FOLDER, file).replaceAll(sep, '/');
}

/**
 * Returns the title of a test with its runner's project. Titles that several tests of a file share
 * are numbered, or the outcome of one would stand for another.
 */
export function createTitles(): (title: string, test: unknown, project?: string) => string {
  const tests = new Map<string, unknown[]>();
  return (title, test, project) => {
    const same = tests.get(title) ?? [];
    tests.set(title, same);
    if (!same.includes(test)) same.push(test);
    const nth = same.indexOf(test) + 1;
    return `${project ? `[${project}] ` : ''}${title}${nth > 1 ? ` (${nth})` : ''}`;
  };
}
