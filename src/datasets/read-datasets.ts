import { combineChanges, type DecisionChanges } from '../decisions/decision-changes.js';
import type { StubRequest } from '../stubs/stub.js';
import { combineStubs } from '../stubs/stubs.js';
import {
  createCustomers,
  createDataset,
  type Dataset,
  type DatasetSource,
  fingerprintOf,
  seedOf,
} from './dataset.js';
import { type AccountDeclaration, generateConfigOf } from './fixture/fixture.js';
import { FixtureError } from './fixture/fixture-file.js';
import type { FixtureFiles, LayerReader, LocatedFile } from './fixture/read-fixture.js';
import { type Layer, type LayeredFixture, readLayers } from './fixture/read-fixture.js';
import { isPregenerated, type RecordGenerator } from './generate/generator.js';

/** What is read, and from where. */
export interface DatasetSources extends LayerReader, BindingSources {
  /** The datasets that were built before, by fingerprint, as long as anything needs them. */
  readonly built: Map<string, WeakRef<Dataset>>;
}

/** The datasets of one server: one for every token, and those that certain tokens are bound to. */
export interface Datasets {
  /** The dataset of every token that nothing is declared for. */
  readonly main: Dataset;
  /** The decisions of the fixture. */
  readonly decisions: DecisionChanges;
  /** The stubs of the fixture, for every caller. */
  readonly stubs: readonly StubRequest[];
  /** What was declared for the token; its dataset is built when it is first asked for. */
  declaredFor(token: string): Dataset | 'refused' | undefined;
}

/** Datasets whose files were read, before anything is generated. */
export interface ReadDatasets {
  /** Whether any of them, those of declared tokens included, has records that faker generates. */
  readonly needsFaker: boolean;
  /** Checks references and builds. Throws a `FixtureError` with the mistakes of all files. */
  build(generator: RecordGenerator): Datasets;
}

/** The files of one dataset, and the seed that it has. */
interface ReadDataset extends DatasetSource {
  readonly files: LayeredFixture;
  /** Whether it has customers that faker generates. */
  readonly needsFaker: boolean;
}

/** The files of all datasets, and which tokens get which. */
interface ReadBindings {
  readonly sources: DatasetSources;
  readonly main: Binding;
  readonly tokens: BoundTokens;
  /** The bindings of all tokens that are not refused. */
  readonly bindings: readonly Binding[];
  readonly read: (binding: Binding) => ReadDataset;
}

/**
 * Reads the files of the main dataset and of those that tokens are bound to. Throws a `FixtureError`
 * if there is no main dataset; other mistakes are thrown by `build`, those of all files together.
 */
export function readDatasets(sources: DatasetSources): ReadDatasets {
  const readFiles = memoize((path: string) => readLayers(sources, path));
  const read = memoize((binding: Binding) =>
    withSeed(readFiles(binding.path), binding, sources.files),
  );
  const main = bindMain(sources);
  const tokens = bindTokens(sources, main, readFiles(main.path).layers);
  const bindings = [...tokens.declared.values()].filter((binding) => binding !== 'refused');
  const all = [main, ...bindings].map(read);
  return {
    needsFaker: all.some(({ needsFaker }) => needsFaker),
    build: (generator) => build({ sources, main, tokens, bindings, read }, generator),
  };
}

function build(
  { sources: { files: fixtures, built }, main, tokens, bindings, read }: ReadBindings,
  generator: RecordGenerator,
): Datasets {
  const customersOf = memoize((binding: Binding) => createCustomers(read(binding), generator));
  const mistakesOf = (binding: Binding) => {
    const { files, needsFaker } = read(binding);
    // A shipped dataset refers to no unknown customer, and may have more than a start has time for.
    const isQuick = binding === main || !fixtures.isOfPackage(binding.path) || !needsFaker;
    const isChecked = files.areCustomersKnown && isQuick;
    return files.mistakes(isChecked ? customersOf(binding).all : undefined);
  };
  const mistakes = [mistakesOf(main), tokens.mistakes, ...bindings.map(mistakesOf)].flat();
  if (mistakes.length > 0) throw new FixtureError([...new Set(mistakes)].join('\n'));

  const open = memoize((binding: Binding) => {
    const source = read(binding);
    const fingerprint = fingerprintOf(source);
    const dataset =
      built.get(fingerprint)?.deref() ?? createDataset(source, customersOf(binding), generator);
    built.set(fingerprint, new WeakRef(dataset));
    return dataset;
  });
  return {
    main: open(main),
    decisions: combineChanges(read(main).layers.map(({ decisions = {} }) => decisions)),
    stubs: combineStubs(read(main).layers.map(({ stubs = [] }) => stubs)),
    declaredFor(token) {
      const binding = tokens.declared.get(token);
      return binding === undefined || binding === 'refused' ? binding : open(binding);
    },
  };
}

function withSeed(
  files: LayeredFixture,
  { path, seed: givenSeed }: Binding,
  { nameOf }: FixtureFiles,
): ReadDataset {
  const layers = files.layers.map(({ fixture }) => fixture);
  const seed = seedOf(layers, givenSeed);
  const isGenerated = !isPregenerated(generateConfigOf(layers), seed);
  return {
    layers,
    seed,
    name: nameOf(path),
    files,
    needsFaker: files.areCustomersKnown && isGenerated,
  };
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

/** A dataset that tokens may be bound to: its file, and the seed if it is not the fixture's. */
export interface Binding {
  readonly path: string;
  readonly seed: number | undefined;
}

/** The datasets to bind to tokens, and where they are searched. */
export interface BindingSources {
  readonly files: FixtureFiles;
  /** The name of a dataset, or the path of a fixture. */
  readonly dataset: string;
  /** The seed of its generated records, in place of the fixture's. */
  readonly seed: number | undefined;
  /** Declarations beside those of the fixture, which they replace token by token. */
  readonly accounts: Readonly<Record<string, AccountDeclaration>>;
}

/** The dataset of every token that nothing is declared for. Throws a `FixtureError`. */
export function bindMain({ files, dataset, seed }: BindingSources): Binding {
  const { path, unknown } = files.locate(dataset);
  if (unknown) throw new FixtureError(describe(unknown, `The dataset is '${dataset}'`));
  return { path, seed };
}

/** What declared tokens are bound to. */
export interface BoundTokens {
  readonly declared: ReadonlyMap<string, Binding | 'refused'>;
  /** A line for every declaration whose dataset does not exist. */
  readonly mistakes: readonly string[];
}

/** Binds the tokens that the layers of the main dataset declare, and those of the sources. */
export function bindTokens(
  { files, accounts, seed }: BindingSources,
  main: Binding,
  layers: readonly Layer[],
): BoundTokens {
  const mistakes: string[] = [];
  const ofLayers = layers.flatMap(({ path, fixture }) =>
    Object.entries(fixture.accounts ?? {}).map(([token, declaration]) => {
      // The check of the file has reported a dataset that does not exist.
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
  return { declared: new Map([...ofLayers, ...ofSources]), mistakes };
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
