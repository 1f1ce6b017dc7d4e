import type { AccountDeclaration } from './fixture/fixture.js';
import { FixtureError } from './fixture/fixture-file.js';
import type { Layer } from './fixture/layers.js';
import type { FixtureFiles, LocatedFile } from './fixture/read-files.js';

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
