import type { Customer } from '../billing/resources.js';
import { createCustomers, type WorldCustomers } from './dataset.js';
import { type Fixture, type GenerateSection, worldOf } from './fixture.js';
import { danglingReferences, oversizedWorld, reversedRange } from './fixture-checks.js';
import type { Mistake } from './mistake.js';
import { type LayerReader, type ReadLayer, readFiles } from './read-files.js';
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
