import { statSync } from 'node:fs';

/** Knows the state in which files were when they were read. */
export interface FileStates {
  /** Runs a reading that reports the path of each file before it reads it. */
  record<Result>(read: (onRead: (path: string) => void) => Result): Result;
  /** The paths of the files that were read. */
  paths(): readonly string[];
  /** The path of a file that has changed since; files that did not exist are such files too. */
  changed(): string | undefined;
}

/** Knows no files yet. */
export function createFileStates(): FileStates {
  let known = new Map<string, string>();
  return {
    record(read) {
      const current = new Map<string, string>();
      try {
        return read((path) => {
          if (!current.has(path)) current.set(path, stateOf(path));
        });
      } finally {
        // Those that a failed reading did not reach still matter.
        known = new Map([...known, ...current]);
      }
    },
    paths: () => [...known.keys()],
    changed() {
      return [...known].find(([path, state]) => stateOf(path) !== state)?.[0];
    },
  };
}

/** What differs between two states of a file. */
function stateOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    return `missing: ${(error as NodeJS.ErrnoException).code}`;
  }
}
