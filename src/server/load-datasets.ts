import type { Dataset } from '../datasets/dataset.js';
import type { RecordChecks } from '../datasets/fixture/record-checks.js';
import { loadGenerator, PREGENERATED_ONLY } from '../datasets/generate/generator.js';
import { type Datasets, readDatasets } from '../datasets/read-datasets.js';
import { describeMistake } from '../errors/mistake.js';
import { type CompleteOptions, OptionError } from '../options/complete-options.js';
import { createFileStates } from './file-states.js';
import { FIXTURE_FILES } from './fixture-files.js';

/** The datasets of a server, and how they are loaded again. */
export interface LoadedDatasets {
  readonly datasets: Datasets;
  /** Reads and builds everything again. Throws a `FixtureError`. */
  load(): Datasets;
  /** The path of a file that has changed since it was last read. */
  changedFile(): string | undefined;
  /** Whether all files are those of the package. */
  readonly areShipped: boolean;
}

/**
 * Reads the datasets, loads faker if one of them needs it, and builds them. Rejects with an
 * `OptionError` or a `FixtureError`.
 */
export async function loadDatasets(
  options: CompleteOptions,
  checks: RecordChecks,
): Promise<LoadedDatasets> {
  checkSection('accounts', options.accounts, checks);
  checkSection('stubs', options.stubs, checks);
  const sources = {
    ...options,
    files: FIXTURE_FILES,
    checks,
    built: new Map<string, WeakRef<Dataset>>(),
  };
  const files = createFileStates();
  const read = () => files.record((onRead) => readDatasets({ ...sources, onRead }));
  const first = read();
  // A watched fixture may come to need faker, which a reload cannot wait for.
  const isFakerLoaded = first.needsFaker || options.watch;
  const generator = isFakerLoaded ? await loadGenerator() : PREGENERATED_ONLY;
  return {
    datasets: first.build(generator),
    load: () => read().build(generator),
    changedFile: files.changed,
    areShipped: files.paths().every(FIXTURE_FILES.isOfPackage),
  };
}

/** Options that are checked as the section of a fixture with their name, and how none is written. */
const SECTIONS = { accounts: '{}', stubs: '[]' } as const;

function checkSection(name: keyof typeof SECTIONS, value: object, checks: RecordChecks): void {
  // To compile the schema takes time that a start without the option need not spend.
  const [mistake] = JSON.stringify(value) === SECTIONS[name] ? [] : checks[name](value);
  if (mistake) throw new OptionError(`The option '${name}': ${describeMistake(mistake)}`);
}
