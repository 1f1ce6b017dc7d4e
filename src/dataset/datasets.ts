import { dirname } from 'node:path';
import { createDataset, type Dataset } from './dataset.js';
import type { AccountDeclaration } from './fixture.js';
import { expectedDataset, FixtureError, locateFixture } from './fixture-file.js';
import { type Layer, type LayerReader, readLayers } from './layers.js';

/** What is loaded, and from where. */
export interface DatasetSources extends LayerReader {
  /** The name of a dataset in the folder, or the path of a fixture. */
  readonly dataset: string;
  /** The seed of its generated records, in place of the fixture's. */
  readonly seed: number | undefined;
  /** What certain tokens get, beside what the fixture declares. */
  readonly accounts: Readonly<Record<string, AccountDeclaration>>;
}

/** What a token gets: an account over a dataset, or nothing because it is refused. */
type Grant = Dataset | 'refused';

/** The datasets of one server: one for every token, and those that certain tokens are bound to. */
export interface Datasets {
  /** What a token gets that nothing was declared for. */
  readonly main: Dataset;
  /** What was declared for the token. */
  declaredFor(token: string): Grant | undefined;
  /** The files that all this was read from so far. */
  files(): readonly string[];
}

/**
 * Reads and builds what the sources name. Datasets that tokens are bound to are built when one of
 * them is first used; files outside the folder are read at once, so that their mistakes are told.
 * Throws a `FixtureError`.
 */
export function loadDatasets(sources: DatasetSources): Datasets {
  const files = new Set<string>();
  const built = new Map<string, Dataset>();
  const declared = new Map<string, () => Grant>();

  function layersOf(path: string, seed: number | undefined): readonly Layer[] {
    const layers = readLayers(sources, path, seed);
    for (const layer of layers) files.add(layer.path);
    return layers;
  }

  function open(path: string, seed: number | undefined, layers?: readonly Layer[]): Dataset {
    const key = JSON.stringify([path, seed]);
    const fixtures = () => (layers ?? layersOf(path, seed)).map(({ fixture }) => fixture);
    const dataset = built.get(key) ?? createDataset(fixtures(), seed);
    built.set(key, dataset);
    return dataset;
  }

  function declare(token: string, declaration: AccountDeclaration, from: string): void {
    const { dataset, seed, refused } = declaration;
    const path = dataset === undefined ? mainPath : locate(dataset, sources.folder, from);
    const ownSeed = dataset === undefined ? (seed ?? sources.seed) : seed;
    const grant = () => (refused ? 'refused' : open(path, ownSeed));
    if (dirname(path) !== sources.folder) grant();
    declared.set(token, grant);
  }

  const mainPath = locate(sources.dataset, sources.folder, process.cwd());
  const mainLayers = layersOf(mainPath, sources.seed);
  const main = open(mainPath, sources.seed, mainLayers);
  for (const { path, fixture } of mainLayers) {
    for (const [token, declaration] of Object.entries(fixture.accounts ?? {})) {
      declare(token, declaration, dirname(path));
    }
  }
  for (const [token, declaration] of Object.entries(sources.accounts)) {
    declare(token, declaration, process.cwd());
  }
  return {
    main,
    declaredFor: (token) => declared.get(token)?.(),
    files: () => [...files],
  };
}

function locate(dataset: string, folder: string, from: string): string {
  const path = locateFixture(dataset, folder, from);
  if (path !== undefined) return path;
  throw new FixtureError(`There is no dataset '${dataset}'; expected ${expectedDataset(folder)}.`);
}
