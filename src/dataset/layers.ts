import { dirname } from 'node:path';
import { createCustomers, worldOf } from './dataset.js';
import type { Fixture } from './fixture.js';
import { danglingReferences, impossibleWorld, membersOf, repeatedIds } from './fixture-checks.js';
import {
  expectedDataset,
  FixtureError,
  type FixtureFile,
  locateFixture,
  readFixtureFile,
} from './fixture-file.js';
import type { Mistake } from './mistake.js';
import type { RecordChecks } from './record-checks.js';

/** A checked fixture and the file that it was read from. */
export interface Layer {
  readonly path: string;
  readonly fixture: Fixture;
}

interface ReadLayer {
  readonly file: FixtureFile;
  readonly mistakes: readonly Mistake[];
}

/** Reads fixtures: `folder` has the datasets that have names. */
export interface LayerReader {
  readonly folder: string;
  readonly checks: RecordChecks;
}

/**
 * Reads a fixture and those that it extends; these come first. Throws a `FixtureError` with every
 * mistake of them all.
 */
export function readLayers(reader: LayerReader, path: string, seed?: number): readonly Layer[] {
  const read = readFiles(reader, path, []);
  const lines = read.flatMap(({ file, mistakes }) => file.explain(mistakes));
  if (lines.length > 0) throw new FixtureError(lines.join('\n'));
  const fixtures = read.map(({ file }) => file.value as Fixture);
  const contradictions = read.flatMap(({ file }, level) =>
    file.explain(contradictionsOf(fixtures.slice(0, level + 1), seed)),
  );
  if (contradictions.length > 0) throw new FixtureError(contradictions.join('\n'));
  return read.map(({ file }) => ({ path: file.path, fixture: file.value as Fixture }));
}

function readFiles(
  reader: LayerReader,
  path: string,
  above: readonly string[],
): readonly ReadLayer[] {
  const file = readFixtureFile(path);
  const { extends: base } = membersOf(file.value);
  const basePath =
    typeof base === 'string' ? locateFixture(base, reader.folder, dirname(path)) : undefined;
  const isCircle = basePath !== undefined && [...above, path].includes(basePath);
  const mistakes = [
    ...reader.checks.fixture(file.value),
    ...repeatedIds(file.value),
    ...unknownDatasets(reader, file),
  ];
  if (isCircle) {
    mistakes.push({
      path: ['extends'],
      expected: 'a dataset that does not extend this one',
      received: base,
    });
  }
  const lower =
    basePath === undefined || isCircle ? [] : readFiles(reader, basePath, [...above, path]);
  return [...lower, { file, mistakes }];
}

/** The datasets that a fixture names and that are not there. */
function unknownDatasets({ folder }: LayerReader, { path, value }: FixtureFile): Mistake[] {
  const fixture = membersOf(value);
  const named = [
    { path: ['extends'], received: fixture.extends },
    ...Object.entries(membersOf(fixture.accounts)).map(([token, declaration]) => ({
      path: ['accounts', token, 'dataset'],
      received: membersOf(declaration).dataset,
    })),
  ];
  return named
    .filter(({ received }) => typeof received === 'string')
    .filter(({ received }) => !locateFixture(received as string, folder, dirname(path)))
    .map((mistake) => ({ ...mistake, expected: expectedDataset(folder) }));
}

/** What the last of the fixtures says that cannot be, upon those before it. */
function contradictionsOf(fixtures: readonly Fixture[], seed: number | undefined): Mistake[] {
  const fixture = fixtures.at(-1) as Fixture;
  const castSize = fixtures.flatMap(({ customers = [] }) => customers).length;
  const impossible = impossibleWorld(fixture, worldOf(fixtures), castSize);
  if (impossible.length > 0) return impossible;
  return danglingReferences(fixture, () => {
    const { cast, generated } = createCustomers(fixtures, seed);
    return [...cast, ...generated];
  });
}
