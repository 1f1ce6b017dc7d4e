import { dirname } from 'node:path';
import { createDataset, type Dataset, fingerprintOf } from './dataset.js';
import type { AccountDeclaration, Fixture } from './fixture/fixture.js';
import { expectedDataset, FixtureError, locateFixture } from './fixture/fixture-file.js';
import { type LayeredFixture, readLayers } from './fixture/layers.js';
import type { LayerReader } from './fixture/read-files.js';
import { PREGENERATED_ONLY } from './generate/generator.js';

/** What is loaded, and from where. */
export interface DatasetSources extends LayerReader {
  /** The name of a dataset in the folder, or the path of a fixture. */
  readonly dataset: string;
  /** The seed of its generated records, in place of the fixture's. */
  readonly seed: number | undefined;
  /** What certain tokens get, beside what the fixture declares. */
  readonly accounts: Readonly<Record<string, AccountDeclaration>>;
  /** The datasets that were built before, by fingerprint, as long as anything needs them. */
  readonly built: Map<string, WeakRef<Dataset>>;
}

/** What a token gets: an account over a dataset, or nothing because it is refused. */
type Grant = Dataset | 'refused';

/** The datasets of one server: one for every token, and those that certain tokens are bound to. */
export interface Datasets {
  /** What a token gets that nothing was declared for. */
  readonly main: Dataset;
  /** What the fixture decides where the specification is silent. */
  readonly decisions: NonNullable<Fixture['decisions']>;
  /** What was declared for the token; built when it is first asked for. */
  declaredFor(token: string): Grant | undefined;
}

/** A dataset that tokens may be bound to: its file, and the seed if it is not the fixture's. */
interface Binding {
  readonly path: string;
  readonly seed: number | undefined;
}

/**
 * Reads what the sources name. A dataset that a token is bound to is built when the token is first
 * used; its file is read and checked at once, unless it is one of the folder. Throws a
 * `FixtureError` with the mistakes of all files, and the generator's `NotDrawnError`.
 */
export function loadDatasets(sources: DatasetSources): Datasets {
  const mainPath = locate(sources, sources.dataset, 'The dataset');
  const main = { path: mainPath, seed: sources.seed };
  const told = new Set<string>();
  const read = memoize((binding) => readLayers(sources, binding.path, binding.seed));
  const readAndTell = (binding: Binding) => {
    const { layers, mistakes } = read(binding);
    for (const line of mistakes) told.add(line);
    return layers;
  };
  const mainLayers = readAndTell(main);
  const declared = new Map([
    ...mainLayers.flatMap(({ path, fixture }) =>
      Object.entries(fixture.accounts ?? {}).map(([token, declaration]) => {
        const { candidate } = locateFixture(
          declaration.dataset ?? mainPath,
          sources.folder,
          dirname(path),
        );
        return [token, bind(declaration, candidate, sources.seed)] as const;
      }),
    ),
    ...Object.entries(sources.accounts).map(([token, declaration]) => {
      const path = attempt(told, () =>
        locate(sources, declaration.dataset ?? mainPath, `The dataset of the account '${token}'`),
      );
      return [token, bind(declaration, path ?? mainPath, sources.seed)] as const;
    }),
  ]);
  for (const binding of declared.values()) {
    if (binding === 'refused') continue;
    const isOwn = dirname(binding.path) !== sources.folder;
    // When its token comes, it is too late to load what draws.
    if (isOwn || sources.generator === PREGENERATED_ONLY) readAndTell(binding);
  }
  if (told.size > 0) throw new FixtureError([...told].join('\n'));

  const open = memoize((binding) => build(read(binding), sources, binding.seed));
  return {
    main: open(main),
    decisions: Object.assign({}, ...mainLayers.map(({ fixture }) => fixture.decisions)),
    declaredFor(token) {
      const binding = declared.get(token);
      return binding === undefined || binding === 'refused' ? binding : open(binding);
    },
  };
}

function bind(
  { dataset, seed, refused }: AccountDeclaration,
  path: string,
  mainSeed: number | undefined,
): Binding | 'refused' {
  if (refused) return 'refused';
  return { path, seed: seed ?? (dataset === undefined ? mainSeed : undefined) };
}

function build(
  { layers, customers, mistakes }: LayeredFixture,
  { generator, built }: DatasetSources,
  seed: number | undefined,
): Dataset {
  if (mistakes.length > 0) throw new FixtureError(mistakes.join('\n'));
  const fixtures = layers.map(({ fixture }) => fixture);
  const fingerprint = fingerprintOf(fixtures, seed);
  const dataset =
    built.get(fingerprint)?.deref() ?? createDataset(fixtures, generator, seed, customers);
  built.set(fingerprint, new WeakRef(dataset));
  return dataset;
}

function locate({ folder }: DatasetSources, dataset: string, what: string): string {
  const { candidate, exists } = locateFixture(dataset, folder, process.cwd());
  if (exists) return candidate;
  const expected = expectedDataset(dataset, folder, process.cwd());
  throw new FixtureError(`${what} is '${dataset}'; expected ${expected}.`);
}

/** The result; nothing if a fixture cannot be used, whose mistakes are added to those told. */
function attempt<Result>(told: Set<string>, act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    for (const line of error.message.split('\n')) told.add(line);
    return undefined;
  }
}

function memoize<Result>(make: (binding: Binding) => Result): (binding: Binding) => Result {
  const made = new Map<string, Result>();
  return (binding) => {
    const key = JSON.stringify([binding.path, binding.seed]);
    const result = made.get(key) ?? make(binding);
    made.set(key, result);
    return result;
  };
}
