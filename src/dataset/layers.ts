import { dirname } from 'node:path';
import type { Customer } from '../billing/resources.js';
import { createCustomers, type WorldCustomers } from './dataset.js';
import { type Fixture, worldOf } from './fixture.js';
import {
  danglingReferences,
  membersOf,
  oversizedWorld,
  reversedRange,
  wrongDecisions,
  wrongIds,
} from './fixture-checks.js';
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

/** A checked fixture and the file that it was read from. */
interface Layer {
  readonly path: string;
  readonly fixture: Fixture;
}

/** A fixture with those that it extends before it, and the customers that they have together. */
export interface LayeredFixture {
  readonly layers: readonly Layer[];
  readonly customers: WorldCustomers;
}

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

interface ReadLayer {
  readonly file: FixtureFile;
  readonly mistakes: readonly Mistake[];
}

/**
 * Reads a fixture and those that it extends. Throws a `FixtureError` with every mistake of them all,
 * as far as what is wrong lets the rest be understood.
 */
export function readLayers(reader: LayerReader, path: string, seed?: number): LayeredFixture {
  const broken: string[] = [];
  const read = readFiles(reader, path, [], broken);
  const fixtures = read.map(({ file }) => membersOf(file.value) as Fixture);
  const isSound = (...sections: string[]) =>
    broken.length === 0 &&
    !read.some(({ mistakes }) =>
      mistakes.some((mistake) => sections.includes(mistake.path[0] ?? '')),
    );

  const castSize = fixtures.flatMap(({ customers = [] }) => customers).length;
  const world = worldOf(fixtures);
  const isWorldSound = isSound('', 'generate', 'customers');
  const oversized = isWorldSound ? oversizedWorld(world, castSize) : [];
  const reversed = isWorldSound ? reversedRange(fixtures.at(-1) ?? {}, world) : [];
  const customers =
    isSound('', 'generate', 'customers', 'seed', 'extends') && oversized.length === 0
      ? createCustomers(fixtures, reader.inventor, seed)
      : undefined;
  const lines = read.flatMap(({ file, mistakes }, level) => {
    const isLast = level === read.length - 1;
    const dangling = customers
      ? danglingReferences(fixtures[level] ?? {}, everyone(customers))
      : [];
    return file.explain([...mistakes, ...(isLast ? [...oversized, ...reversed] : []), ...dangling]);
  });
  if (broken.length + lines.length > 0 || !customers) {
    throw new FixtureError([...broken, ...lines].join('\n'));
  }
  return {
    layers: read.map(({ file }) => ({ path: file.path, fixture: file.value as Fixture })),
    customers,
  };
}

function everyone({ cast, generated }: WorldCustomers): readonly Customer[] {
  return [...cast, ...generated];
}

/** The file and those that it extends, which come first; what cannot be read goes to `broken`. */
function readFiles(
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
    ...reader.checks.fixture(file.value),
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
