import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { fixtureFolder } from '../support/fixture.js';

const { exports: exported, name } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = join(fixtureFolder, 'types');

/** The entry points that are code, and whether CommonJS can load them. */
const ENTRIES = Object.entries<object>(exported)
  .filter(([, files]) => typeof files === 'object')
  .map(([path, files]): [string, boolean] => [path.replace('.', name), 'require' in files]);

const { Bundler, Node10, NodeNext } = ts.ModuleResolutionKind;
const { CommonJS, ESNext } = ts.ModuleKind;
/** The ways to resolve an entry point, and whether each loads it as CommonJS. */
const READERS = [
  ['node10', Node10, undefined, true],
  ['nodenext in CommonJS', NodeNext, CommonJS, true],
  ['nodenext in an ES module', NodeNext, ESNext, false],
  ['a bundler', Bundler, ESNext, false],
] as const;

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(resolve('.'), join(folder, 'node_modules', name));
});

/** The declaration file that a compiler finds. */
function typesOf(entry: string, kind: ts.ModuleResolutionKind, mode: ts.ResolutionMode): string {
  const module = kind === NodeNext ? ts.ModuleKind.NodeNext : ESNext;
  const options = { moduleResolution: kind, module };
  const from = join(folder, 'reader.ts');
  const { resolvedModule } = ts.resolveModuleName(
    ...[entry, from, options, ts.sys, undefined, undefined, mode],
  );
  return resolvedModule?.resolvedFileName ?? 'nothing';
}

/** The code file in dist/ that a declaration file describes. */
function codeOf(types: string): string {
  return types.replace(/\.d\.([cm])ts$/, '.$1js');
}

/** The names of values that a file exports. */
function namesIn(program: ts.Program, file: string): string[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (!symbol) return [`nothing in ${file}`];
  if (symbol.exports?.has(ts.InternalSymbolName.ExportEquals)) return ['module.exports'];
  return checker
    .getExportsOfModule(symbol)
    .filter((one) => {
      const isAlias = (one.flags & ts.SymbolFlags.Alias) !== 0;
      return (isAlias ? checker.getAliasedSymbol(one) : one).flags & ts.SymbolFlags.Value;
    })
    .map((one) => one.name)
    .sort();
}

/** The declaration files that a declaration file imports by path. */
function filesNamedBy(file: string, text: string): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => resolve(file, '..', fileName.replace(/\.([cm])js$/, '.d.$1ts')));
}

describe('the types of the package', () => {
  test.each(ENTRIES)(
    '%s are found by every kind of resolution, beside the code',
    (entry, isBoth) => {
      for (const [reader, kind, mode, isCommonJs] of READERS) {
        const types = typesOf(entry, kind, mode);
        const extension = isCommonJs && isBoth ? 'cts' : 'mts';
        expect([reader, types]).toEqual([reader, expect.stringMatching(`\\.d\\.${extension}$`)]);
        expect(existsSync(codeOf(types))).toBe(true);
      }
    },
  );

  test('name the values that the code exports, and no file that is not there', () => {
    const types = ENTRIES.flatMap(([entry]) => [
      typesOf(entry, NodeNext, CommonJS),
      typesOf(entry, NodeNext, ESNext),
    ]);
    const options: ts.CompilerOptions = {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      allowJs: true,
      noEmit: true,
      types: [],
    };
    const typed = ts.createProgram(types, options);
    const compiled = ts.createProgram(types.map(codeOf), { ...options, noResolve: true });
    for (const file of types)
      expect([file, namesIn(typed, file)]).toEqual([file, namesIn(compiled, codeOf(file))]);
    const own = typed.getSourceFiles().filter((file) => file.fileName.startsWith(resolve('dist')));
    const named = own.flatMap((file) => filesNamedBy(file.fileName, file.text));
    expect(named.length).toBeGreaterThan(types.length);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});
