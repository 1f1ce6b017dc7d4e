import { dirname } from 'node:path';
import type { AccountDeclaration } from './fixture/fixture.js';
import { FixtureError } from './fixture/fixture-file.js';
import type { Layer } from './fixture/layers.js';
import { adviceOnDataset, expectedDataset, locateFixture } from './fixture/locate-fixture.js';

/** A dataset that tokens may be bound to: its file, and the seed if it is not the fixture's. */
export interface Binding {
  readonly path: string;
  readonly seed: number | undefined;
}

/** The datasets to bind to tokens, and where they are searched. */
export interface BindingSources {
  /** The folder of the datasets that have names. */
  readonly folder: string;
  /** The name of a dataset in the folder, or the path of a fixture. */
  readonly dataset: string;
  /** The seed of its generated records, in place of the fixture's. */
  readonly seed: number | undefined;
  /** Declarations beside those of the fixture, which they replace token by token. */
  readonly accounts: Readonly<Record<string, AccountDeclaration>>;
}

/** The dataset of every token that nothing is declared for. Throws a `FixtureError`. */
export function bindMain({ folder, dataset, seed }: BindingSources): Binding {
  const { candidate, exists } = locateFixture(dataset, folder, process.cwd());
  if (!exists) throw new FixtureError(unknownDataset(folder, dataset, 'The dataset'));
  return { path: candidate, seed };
}

/** What declared tokens are bound to. */
export interface BoundTokens {
  readonly declared: ReadonlyMap<string, Binding | 'refused'>;
  /** A line for every declaration whose dataset does not exist. */
  readonly mistakes: readonly string[];
}

/** Binds the tokens that the layers of the main dataset declare, and those of the sources. */
export function bindTokens(
  { folder, accounts, seed }: BindingSources,
  main: Binding,
  layers: readonly Layer[],
): BoundTokens {
  const mistakes: string[] = [];
  const ofLayers = layers.flatMap(({ path, fixture }) =>
    Object.entries(fixture.accounts ?? {}).map(([token, declaration]) => {
      // The check of the file has reported a dataset that does not exist.
      const { candidate } = locateFixture(declaration.dataset ?? main.path, folder, dirname(path));
      return [token, bind(declaration, candidate, seed)] as const;
    }),
  );
  const ofSources = Object.entries(accounts).map(([token, declaration]) => {
    const { dataset = main.path } = declaration;
    const { candidate, exists } = locateFixture(dataset, folder, process.cwd());
    const what = `The dataset of the account '${token}'`;
    if (!exists) mistakes.push(unknownDataset(folder, dataset, what));
    return [token, bind(declaration, exists ? candidate : main.path, seed)] as const;
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

function unknownDataset(folder: string, dataset: string, what: string): string {
  const sentence = `${what} is '${dataset}'; expected ${expectedDataset(dataset, folder, process.cwd())}.`;
  return [sentence, adviceOnDataset(dataset, folder)].filter(Boolean).join(' ');
}
