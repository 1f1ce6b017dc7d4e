import { combineChanges, type DecisionChanges } from '../decisions/decision-changes.js';
import { unknownScenario } from '../errors/unknown-id.js';
import { combineStubs } from '../stubs/combine-stubs.js';
import type { StubRequest } from '../stubs/stub.js';
import { scenarioIn } from '../values/bearer-token.js';
import {
  createCustomers,
  createDataset,
  type Dataset,
  type DatasetSource,
  fingerprintOf,
  seedOf,
} from './dataset.js';
import { type AccountDeclaration, generateConfigOf } from './fixture/fixture.js';
import { FixtureError } from './fixture/parse-fixture.js';
import type { LayerReader, LocatedFile } from './fixture/read-fixture.js';
import { type Layer, type LayeredFixture, readLayers } from './fixture/read-fixture.js';
import {
  isPregenerated,
  loadGenerator,
  PREGENERATED_ONLY,
  type RecordGenerator,
} from './generate/pregenerated-or-faker.js';
import { SHIPPED_DATASETS } from './shipped-datasets.js';

export interface DatasetSources extends LayerReader {
  /** The name of a dataset, or the path of a fixture. */
  readonly dataset: string;
  /** The seed for generated records, in place of the fixture's. */
  readonly seed: number | undefined;
  /** The name of a scenario that the dataset must have. */
  readonly scenario: string | undefined;
  /** Further declarations of tokens; one replaces the fixture's for the same token. */
  readonly accounts: Readonly<Record<string, AccountDeclaration>>;
  /** Datasets built earlier, by fingerprint and source, while anything still uses them. */
  readonly built: Map<string, WeakRef<Dataset>>;
}

/** The datasets of one server: the main one, and those that certain tokens are bound to. */
export interface Datasets {
  /** The dataset of every token without a declaration. */
  readonly main: Dataset;
  /** The day that relative dates refer to, such as `2026-11-22`. */
  readonly today: string;
  /** The decisions of the main fixture. */
  readonly decisions: DecisionChanges;
  /** The stubs of the main fixture, for every caller. */
  readonly stubs: readonly StubRequest[];
  /**
   * The dataset that the token is bound to, built on first use; `refused` if it is declared so;
   * undefined if it is bound to none. An undeclared token that names a scenario of the main dataset
   * is bound to that dataset.
   */
  declaredFor(token: string): Dataset | 'refused' | undefined;
  /** The tokens that the fixture and the options declare. */
  readonly declared: readonly string[];
  /**
   * The shipped dataset of this name, or a promise of it while its generator is loaded; undefined
   * for any other name, and for one that a page has not loaded.
   */
  shipped(name: unknown): Dataset | Promise<Dataset> | undefined;
}

/** Datasets whose files were read, before anything is generated. */
export interface ReadDatasets {
  /** True if any of them, including those of declared tokens, has records that faker generates. */
  readonly needsFaker: boolean;
  /**
   * Builds the main dataset. Throws a `FixtureError` that describes the dangling references of all
   * files, and what the options name and no file has.
   */
  build(generator: RecordGenerator): Datasets;
}

/** A dataset that tokens may be bound to: its file, and the seed if it is not the fixture's. */
interface Binding {
  readonly path: string;
  readonly seed: number | undefined;
}

interface ReadDataset extends DatasetSource {
  readonly files: LayeredFixture;
  readonly needsFaker: boolean;
}

/**
 * Reads the files of the main dataset and of those that tokens are bound to. Throws a `FixtureError`
 * if there is no main dataset, or with all mistakes of the first file that has any.
 */
export function readDatasets(sources: DatasetSources): ReadDatasets {
  const bound = bindDatasets(sources);
  return {
    needsFaker: bound.all.map(bound.read).some(({ needsFaker }) => needsFaker),
    build: (generator) => build(sources, bound, generator),
  };
}

function bindDatasets(sources: DatasetSources) {
  const readFiles = memoize((path: string) => readLayers(sources, path));
  const main = bindMain(sources);
  const { declared, mistakes } = bindTokens(sources, main, readFiles(main.path).layers);
  const others = [...declared.values()].filter((binding) => binding !== 'refused');
  return {
    main,
    declared,
    /** A line for every declaration in `sources.accounts` whose dataset does not exist. */
    mistakes,
    all: [main, ...others],
    read: memoize(({ path, seed: givenSeed }: Binding): ReadDataset => {
      const files = readFiles(path);
      const layers = files.layers.map(({ fixture }) => fixture);
      const seed = seedOf(layers, givenSeed);
      const needsFaker = !isPregenerated(generateConfigOf(layers), seed);
      const name = sources.files.nameOf(path);
      const source = sources.files.isOfPackage(path) ? name : path;
      return { layers, seed, name, source, files, needsFaker };
    }),
  };
}

function build(
  { files: fixtures, built, scenario, today }: DatasetSources,
  { main, declared, mistakes: mistakesOfTokens, all, read }: ReturnType<typeof bindDatasets>,
  givenGenerator: RecordGenerator,
): Datasets {
  let generator = givenGenerator;
  const customersOf = memoize((binding: Binding) => createCustomers(read(binding), generator));
  const danglingIn = (binding: Binding) => {
    const { files, needsFaker } = read(binding);
    // Shipped datasets have no dangling references, and generating customers would delay the start.
    const isQuick = binding === main || !fixtures.isOfPackage(binding.path) || !needsFaker;
    if (!isQuick) return [];
    const { all: customers, exact } = customersOf(binding);
    return files.danglingReferences([...customers, ...exact]);
  };
  const [ofMain = [], ...ofOthers] = all.map(danglingIn);
  const names = read(main).layers.flatMap(({ scenarios = {} }) => Object.keys(scenarios));
  const ofScenario =
    scenario === undefined || names.includes(scenario)
      ? []
      : [unknownScenario(scenario, names).message];
  const mistakes = [...ofMain, ...mistakesOfTokens, ...ofOthers.flat(), ...ofScenario];
  if (mistakes.length > 0) throw new FixtureError([...new Set(mistakes)].join('\n'));

  const open = memoize((binding: Binding) => {
    const source = read(binding);
    const key = `${fingerprintOf(source)} ${source.source}`;
    const dataset =
      built.get(key)?.deref() ?? createDataset(source, customersOf(binding), generator);
    built.set(key, new WeakRef(dataset));
    return dataset;
  });
  return {
    main: open(main),
    today,
    declared: [...declared.keys()],
    decisions: combineChanges(read(main).layers.map(({ decisions = {} }) => decisions)),
    stubs: combineStubs(read(main).layers.map(({ stubs = [] }) => stubs)),
    declaredFor(token) {
      const binding = declared.get(token) ?? (names.includes(scenarioIn(token)) ? main : undefined);
      return binding === undefined || binding === 'refused' ? binding : open(binding);
    },
    shipped(name) {
      const known = SHIPPED_DATASETS.find((one) => one === name);
      const { path, unknown } = known ? fixtures.locate(known) : { path: '', unknown: {} };
      if (unknown) return undefined;
      const binding = { path, seed: undefined };
      if (generator !== PREGENERATED_ONLY || !read(binding).needsFaker) return open(binding);
      return loadGenerator().then((loaded) => {
        generator = loaded;
        return open(binding);
      });
    },
  };
}

/** Throws a `FixtureError` if the dataset does not exist. */
function bindMain({ files, dataset, seed }: DatasetSources): Binding {
  const { path, unknown } = files.locate(dataset);
  if (unknown) throw new FixtureError(describe(unknown, `The dataset is '${dataset}'`));
  return { path, seed };
}

/** Binds the tokens that the main dataset or `accounts` declares; `accounts` has precedence. */
function bindTokens(
  { files, accounts, seed }: DatasetSources,
  main: Binding,
  layers: readonly Layer[],
) {
  const mistakes: string[] = [];
  const ofLayers = layers.flatMap(({ path, fixture }) =>
    Object.entries(fixture.accounts ?? {}).map(([token, declaration]) => {
      // If the dataset does not exist, the check of the file has reported that.
      const located = files.locate(declaration.dataset ?? main.path, path);
      return [token, bind(declaration, located.path, seed)] as const;
    }),
  );
  const ofSources = Object.entries(accounts).map(([token, declaration]) => {
    const { dataset = main.path } = declaration;
    const { path, unknown } = files.locate(dataset);
    const what = `The dataset of the account '${token}' is '${dataset}'`;
    if (unknown) mistakes.push(describe(unknown, what));
    return [token, bind(declaration, unknown ? main.path : path, seed)] as const;
  });
  const declared: ReadonlyMap<string, Binding | 'refused'> = new Map([...ofLayers, ...ofSources]);
  return { declared, mistakes };
}

function bind(
  { dataset, seed, refused }: AccountDeclaration,
  path: string,
  mainSeed: number | undefined,
): Binding | 'refused' {
  if (refused) return 'refused';
  return { path, seed: seed ?? (dataset === undefined ? mainSeed : undefined) };
}

function describe({ expected, fix }: NonNullable<LocatedFile['unknown']>, what: string): string {
  return [`${what}; expected ${expected}.`, fix].filter(Boolean).join(' ');
}

function memoize<Key, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const made = new Map<string, Result>();
  return (key) => {
    const text = JSON.stringify(key);
    const result = made.get(text) ?? make(key);
    made.set(text, result);
    return result;
  };
}
