import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { fixtureFolder } from '../support/fixture.js';

const { exports: exported, name } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = join(fixtureFolder, 'types');

/** The entry points that are code. */
const ENTRIES = Object.entries<object>(exported)
  .filter(([, files]) => typeof files === 'object')
  .map(([path]) => path.replace('.', name));

const { CommonJS, ESNext, NodeNext } = ts.ModuleKind;

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(resolve('.'), join(folder, 'node_modules', name));
});

/** The declaration file that a module of a kind imports. */
function typesOf(entry: string, mode: ts.ResolutionMode): string {
  const options = { moduleResolution: ts.ModuleResolutionKind.NodeNext, module: NodeNext };
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

test('the types of the package name the values that its code exports', () => {
  const types = ENTRIES.flatMap((entry) => [typesOf(entry, CommonJS), typesOf(entry, ESNext)]);
  const options: ts.CompilerOptions = {
    module: NodeNext,
    target: ts.ScriptTarget.ES2022,
    allowJs: true,
    noEmit: true,
    types: [],
  };
  const typed = ts.createProgram(types, options);
  const compiled = ts.createProgram(types.map(codeOf), { ...options, noResolve: true });
  for (const file of types)
    expect([file, namesIn(typed, file)]).toEqual([file, namesIn(compiled, codeOf(file))]);
});
