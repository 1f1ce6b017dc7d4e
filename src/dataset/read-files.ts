import { dirname } from 'node:path';
import type { Fixture } from './fixture.js';
import { membersOf, wrongDecisions, wrongIds } from './fixture-checks.js';
import {
  expectedDataset,
  FixtureError,
  type FixtureFile,
  locateFixture,
  readFixtureFile,
} from './fixture-file.js';
import type { Inventor } from './inventor.js';
import type { Mistake } from './mistake.js';
import type { RecordChecks } from './record-checks.js';

/** Reads fixtures. */
export interface LayerReader {
  /** The folder of the datasets that have names. */
  readonly folder: string;
  /** The value of a fixture that was checked before it was shipped; nothing for any other. */
  readonly shipped?: (path: string) => { readonly value: unknown } | undefined;
  readonly checks: RecordChecks;
  readonly inventor: Inventor;
  /** Told of every file that is looked for, before it is read. */
  readonly onRead: (path: string) => void;
}

/** A fixture as it was read, and what is wrong in it alone. */
export interface ReadLayer {
  readonly file: FixtureFile;
  readonly mistakes: readonly Mistake[];
}

/** The file and those that it extends, which come first; what cannot be read goes to `broken`. */
export function readFiles(
  reader: LayerReader,
  path: string,
  above: readonly string[],
  broken: string[],
): readonly ReadLayer[] {
  reader.onRead(path);
  const shipped = reader.shipped?.(path);
  if (shipped) return readShipped(reader, path, shipped.value as Fixture);
  let file: FixtureFile;
  try {
    file = readFixtureFile(path);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    broken.push(error.message);
    return [];
  }
  const { extends: base } = membersOf(file.value);
  const basePath = typeof base === 'string' ? locate(reader, base, path) : undefined;
  const isCircle = basePath !== undefined && [...above, path].includes(basePath);
  const circle = {
    path: ['extends'],
    expected: 'a dataset that does not extend this one',
    received: base,
  };
  const mistakes = [
    // A value of the wrong type is not that of any decision either, which says more.
    ...reader.checks.fixture(file.value).filter(({ path }) => path[0] !== 'decisions' || !path[1]),
    ...wrongIds(file.value),
    ...wrongDecisions(file.value),
    ...unknownDatasets(reader, file),
    ...(isCircle ? [circle] : []),
  ];
  const lower =
    basePath === undefined || isCircle ? [] : readFiles(reader, basePath, [...above, path], broken);
  return [...lower, { file, mistakes }];
}

/** A shipped fixture and those that it extends; its mistakes were told before it was shipped. */
function readShipped(reader: LayerReader, path: string, value: Fixture): readonly ReadLayer[] {
  const base = value.extends && locate(reader, value.extends, path);
  const explain = (mistakes: readonly Mistake[]) =>
    mistakes.length === 0 ? [] : readFixtureFile(path).explain(mistakes);
  const file = { path, value, explain };
  return [...(base ? readFiles(reader, base, [path], []) : []), { file, mistakes: [] }];
}

/** Where the dataset is that a file names; told of before, so that it can be waited for. */
function locate(
  { folder, onRead }: LayerReader,
  dataset: string,
  path: string,
): string | undefined {
  const { candidate, exists } = locateFixture(dataset, folder, dirname(path));
  onRead(candidate);
  return exists ? candidate : undefined;
}

/** The datasets that a fixture names and that are not there. */
function unknownDatasets(reader: LayerReader, { path, value }: FixtureFile): Mistake[] {
  const fixture = membersOf(value);
  const named = [
    { path: ['extends'], received: fixture.extends },
    ...Object.entries(membersOf(fixture.accounts)).map(([token, declaration]) => ({
      path: ['accounts', token, 'dataset'],
      received: membersOf(declaration).dataset,
    })),
  ];
  return named
    .filter(({ received }) => typeof received === 'string' && received !== '')
    .filter(({ received }) => !locate(reader, received as string, path))
    .map((mistake) => ({
      ...mistake,
      expected: expectedDataset(String(mistake.received), reader.folder, dirname(path)),
    }));
}
