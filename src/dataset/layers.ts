import { dirname } from 'node:path';
import type { Customer } from '../billing/resources.js';
import { createCustomers, type WorldCustomers } from './dataset.js';
import { type Fixture, type GenerateSection, worldOf } from './fixture.js';
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
import { soundPartOf } from './sound-part.js';

/** A checked fixture and the file that it was read from. */
interface Layer {
  readonly path: string;
  readonly fixture: Fixture;
}

/** A fixture with those that it extends before it, as far as they can be understood. */
export interface LayeredFixture {
  readonly layers: readonly Layer[];
  /** The customers that they have together; nothing if these cannot be known. */
  readonly customers: WorldCustomers | undefined;
  /** A line for every mistake of them all. */
  readonly mistakes: readonly string[];
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
 * Reads a fixture and those that it extends. What is wrong in one place hides no mistake in another,
 * as far as the rest can be understood without it.
 */
export function readLayers(reader: LayerReader, path: string, seed?: number): LayeredFixture {
  const broken: string[] = [];
  const read = readFiles(reader, path, [], broken);
  const parts = read.map(({ file, mistakes }) => soundPartOf(file.value, mistakes));
  const fixtures = parts.map(({ fixture }) => fixture);
  const { oversized, reversed } = worldMistakes(read, fixtures);
  const customers =
    broken.length === 0 && oversized.length === 0 && areCustomersKnown(read, fixtures)
      ? createCustomers(fixtures, reader.inventor, seed)
      : undefined;
  const doubtful = parts.flatMap((part) => part.doubtful);
  const lines = read.flatMap(({ file, mistakes }, level) => {
    const dangling = customers
      ? danglingReferences(fixtures[level] ?? {}, everyone(customers), doubtful)
      : [];
    const ofLayer = [...oversized, ...reversed].filter((mistake) => mistake.level === level);
    return file.explain([...mistakes, ...ofLayer, ...dangling]);
  });
  return {
    layers: read.map(({ file }, level) => ({ path: file.path, fixture: fixtures[level] ?? {} })),
    customers,
    mistakes: [...broken, ...lines],
  };
}

/** A mistake, and which of the files that belong together has it. */
type LayerMistake = Mistake & { readonly level: number };

/** What is wrong with the world that the layers make together, told of the last that speaks of it. */
function worldMistakes(read: readonly ReadLayer[], fixtures: readonly Fixture[]) {
  const world = worldOf(fixtures);
  const castSize = fixtures.flatMap(({ customers = [] }) => customers).length;
  const lastWith = (...names: (keyof GenerateSection)[]) =>
    fixtures.findLastIndex(({ generate = {} }) => names.some((name) => name in generate));
  const isRangeWrong = hasMistake(
    read,
    ([section, member = 'from']) => section === 'generate' && /^(from|to)$/.test(member),
  );
  const at = (level: number, mistakes: readonly Mistake[]): readonly LayerMistake[] =>
    isRangeWrong ? [] : mistakes.map((mistake) => ({ ...mistake, level }));
  const ranged = lastWith('from', 'to');
  return {
    reversed: at(ranged, reversedRange(fixtures[ranged] ?? {}, world)),
    oversized: at(
      lastWith('customers', 'contractsPerCustomer', 'eventsPerCustomer', 'meters'),
      oversizedWorld(world, castSize),
    ),
  };
}

/** Members of `generate` on which no customer depends. */
const BESIDE_CUSTOMERS = ['to', 'contractsPerCustomer', 'eventsPerCustomer', 'meters', 'gaps'];

/** Whether nothing is wrong that all customers come from: what is extended, and what is invented. */
function areCustomersKnown(read: readonly ReadLayer[], fixtures: readonly Fixture[]): boolean {
  const { customers } = worldOf(fixtures);
  return !hasMistake(
    read,
    ([section, member = '']) =>
      section === 'extends' ||
      (section === 'seed' && customers > 0) ||
      (section === 'generate' && !BESIDE_CUSTOMERS.includes(member)),
  );
}

function hasMistake(
  read: readonly ReadLayer[],
  isIt: (path: readonly string[]) => boolean,
): boolean {
  return read.some(({ mistakes }) => mistakes.some(({ path }) => path.length === 0 || isIt(path)));
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
