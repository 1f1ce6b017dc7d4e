import { statSync } from 'node:fs';
import type { Dataset } from '../../../core/datasets/dataset.js';
import { dayToCountFrom } from '../../../core/datasets/fixture/relative-dates.js';
import type { RecordChecks } from '../../../core/datasets/fixture/schema-checks.js';
import {
  loadGenerator,
  PREGENERATED_ONLY,
} from '../../../core/datasets/generate/pregenerated-or-faker.js';
import { type Datasets, readDatasets } from '../../../core/datasets/read-datasets.js';
import type { CompleteOptions } from '../../options/complete-options.js';
import { checkSections } from '../server-accounts.js';
import { fixtureFilesFrom } from './fixture-files.js';

export interface LoadedDatasets {
  readonly datasets: Datasets;
  /** Reads all files again, and builds the datasets that differ. Throws a `FixtureError`. */
  load(): Datasets;
  /** A file that has changed since it was last read. */
  changedFile(): string | undefined;
  readonly areShipped: boolean;
}

export type DatasetOptions = Pick<CompleteOptions, 'accounts' | 'dataset' | 'now' | 'scenario'> &
  Pick<CompleteOptions, 'seed' | 'stubs' | 'watch'>;

/**
 * Reads and builds the datasets. Relative paths begin at `folder`; without `now`, relative dates
 * are at first counted from `firstDay`. Loads faker only if a dataset needs it, or to watch.
 * Rejects with an `OptionError` or a `FixtureError`.
 */
export async function loadDatasets(
  options: DatasetOptions,
  checks: RecordChecks,
  folder = process.cwd(),
  firstDay?: string,
): Promise<LoadedDatasets> {
  checkSections(options, checks);
  const sources = {
    ...options,
    files: fixtureFilesFrom(folder),
    checks,
    built: new Map<string, WeakRef<Dataset>>(),
  };
  const files = createFileStates();
  const read = (day?: string) => {
    const today = dayToCountFrom({ now: options.now, saved: day, currentMs: Date.now() });
    return files.record((note) =>
      readDatasets({
        ...sources,
        today,
        // The package's own do not change, and have no times where they are mounted.
        onRead: (path) => !sources.files.isOfPackage(path) && note(path),
      }),
    );
  };
  const first = read(firstDay);
  // A watched fixture may need faker later, and `load` cannot wait for an import.
  const isFakerLoaded = first.needsFaker || options.watch;
  const generator = isFakerLoaded ? await loadGenerator() : PREGENERATED_ONLY;
  return {
    datasets: first.build(generator),
    load: () => read().build(generator),
    changedFile: files.changed,
    areShipped: files.paths().length === 0,
  };
}

/** Remembers the state of files when they were read. */
function createFileStates() {
  let known = new Map<string, string>();
  return {
    /** Calls `read`, which must report the path of each file before it reads the file. */
    record<Result>(read: (onRead: (path: string) => void) => Result): Result {
      const current = new Map<string, string>();
      const note = (path: string) => {
        if (!current.has(path)) current.set(path, stateOf(path));
      };
      // A failing reading may not reach them, and would be repeated until it does.
      for (const path of known.keys()) note(path);
      try {
        return read(note);
      } finally {
        known = current;
      }
    },
    paths: () => [...known.keys()],
    /** A file that has changed, appeared or gone since the last reading. */
    changed(): string | undefined {
      return [...known].find(([path, state]) => stateOf(path) !== state)?.[0];
    },
  };
}

function stateOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    return `missing: ${(error as NodeJS.ErrnoException).code}`;
  }
}
