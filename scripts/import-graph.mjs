import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** @typedef {{ to: string, isTypeOnly: boolean }} Import */

/** Every TypeScript file of src/ that is not generated. */
export const sourceFiles = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/generated/'))
  .sort();

/** What a file imports: files by path, modules of Node and packages by name. */
export function importsOf(/** @type {string} */ file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  /** @type {Import[]} */
  const found = [];
  (function visit(/** @type {ts.Node} */ node) {
    const [specifier, isTypeOnly] = importIn(node) ?? [];
    if (specifier && ts.isStringLiteral(specifier))
      found.push({ to: targetOf(specifier.text, file), isTypeOnly: isTypeOnly === true });
    ts.forEachChild(node, visit);
  })(source);
  return found;
}

/** @returns {[ts.Node | undefined, boolean] | undefined} */
function importIn(/** @type {ts.Node} */ node) {
  if (ts.isImportDeclaration(node))
    return [node.moduleSpecifier, node.importClause?.isTypeOnly === true];
  if (ts.isExportDeclaration(node)) return [node.moduleSpecifier, node.isTypeOnly];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return [node.argument.literal, true];
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return [node.arguments[0], false];
  return undefined;
}

function targetOf(/** @type {string} */ specifier, /** @type {string} */ file) {
  if (specifier === '#spec') return 'src/spec.ts';
  if (!specifier.startsWith('.'))
    return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const path = join(file, '..', specifier).replaceAll('\\', '/');
  const sources = ['.ts', '.tsx'].map((extension) => path.replace(/\.js$/, extension));
  return sources.find((source) => existsSync(source)) ?? path;
}
