import ts from 'typescript';
import { type Mutant, type Replacement, textOf } from './mutant.js';
import { expressionsFor } from './mutators.js';

/** The topmost node of `a?.b.c()`: to change a part of it alone would change where it breaks off. */
function topOfChain(node: ts.Node): ts.Node {
  let top = node;
  while (isLink(top.parent) && top.parent.expression === top) top = top.parent;
  return top;
}

function isLink(
  node: ts.Node,
): node is ts.PropertyAccessExpression | ts.ElementAccessExpression | ts.CallExpression {
  return (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node)
  );
}

function within(top: ts.Node, node: ts.Node, text: string): string {
  const source = top.getSourceFile().text;
  return source.slice(top.getStart(), node.getStart()) + text + source.slice(node.end, top.end);
}

/** `?.` without its question mark. */
function ofOptionalLink(node: ts.Node): Replacement[] {
  if (!isLink(node) || !node.questionDotToken) return [];
  const top = topOfChain(node);
  if (isTarget(top)) return [];
  const { questionDotToken: token } = node;
  const source = node.getSourceFile().text;
  const dot = ts.isPropertyAccessExpression(node) ? '.' : '';
  const after =
    source.slice(top.getStart(), token.getStart()) + dot + source.slice(token.end, top.end);
  return [{ start: top.getStart(), end: top.end, after, kind: 'expression' }];
}

function ofExpression(node: ts.Node): Replacement[] {
  const changed = expressionsFor(node);
  if (!changed) return [];
  // The link of a chain is replaced with the whole chain.
  const top = isLink(changed.node) ? topOfChain(changed.node) : changed.node;
  if (isTarget(top)) return [];
  return changed.texts.map((text) => ({
    start: top.getStart(),
    end: top.end,
    after: within(top, changed.node, text),
    kind: 'expression',
  }));
}

function ofBlock(node: ts.Node): Replacement[] {
  if (!ts.isBlock(node) || node.statements.length === 0) return [];
  const isDerived = ts.isConstructorDeclaration(node.parent) && /\bsuper\(/.test(node.getText());
  return isDerived ? [] : [{ start: node.getStart(), end: node.end, after: '{}', kind: 'block' }];
}

/** `[a, b] = …` is no array, and what is assigned to or deleted is no value. */
function isTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    const isAssignment =
      kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return isAssignment && parent.left === node;
  }
  if (ts.isForOfStatement(parent)) return parent.initializer === node;
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) {
    return /\+\+|--/.test(parent.getText());
  }
  if (ts.isDeleteExpression(parent) || ts.isTaggedTemplateExpression(parent)) return true;
  const isPart = ts.isArrayLiteralExpression(parent) || ts.isPropertyAssignment(parent);
  return (isPart || ts.isObjectLiteralExpression(parent)) && isTarget(parent);
}

/** Types have no behaviour. */
function isLeftAlone(node: ts.Node): boolean {
  return ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

interface Numbered extends Replacement {
  readonly id: number;
}

/** The source with every mutant behind `__is(id)`. */
class Instrumenter {
  readonly mutants: Mutant[] = [];
  readonly #bySpan = new Map<string, Numbered[]>();
  readonly #sameText = new Map<string, number>();
  readonly #source: ts.SourceFile;
  readonly #firstId: number;

  constructor(source: ts.SourceFile, firstId: number) {
    this.#source = source;
    this.#firstId = firstId;
    this.#collect(source);
  }

  get code(): string {
    const text = this.#emit(this.#source, 0, this.#source.end);
    return `const __is = globalThis.__isMutant; ${text}`;
  }

  #collect(node: ts.Node): void {
    if (isLeftAlone(node)) return;
    for (const found of [...ofOptionalLink(node), ...ofExpression(node), ...ofBlock(node)]) {
      this.#add(found);
    }
    ts.forEachChild(node, (child) => this.#collect(child));
  }

  #add(found: Replacement): void {
    const { text } = this.#source;
    const before = text.slice(found.start, found.end);
    const span = `${found.start} ${found.end}`;
    const there = this.#bySpan.get(span) ?? [];
    if (before === found.after || there.some(({ after }) => after === found.after)) return;
    const id = this.#firstId + this.mutants.length;
    this.#bySpan.set(span, [...there, { ...found, id }]);
    const { line } = this.#source.getLineAndCharacterOfPosition(found.start);
    const code = (text.split('\n')[line] ?? '').trim();
    const { fileName: file } = this.#source;
    const texts = { file, code, before, after: found.after };
    const nth = (this.#sameText.get(textOf(texts)) ?? 0) + 1;
    this.#sameText.set(textOf(texts), nth);
    this.mutants.push({ id, line: line + 1, ...texts, nth });
  }

  /** The text of a span of a node, its children instrumented. */
  #emit(node: ts.Node, start: number, end: number): string {
    const { text } = this.#source;
    let [emitted, at] = ['', start];
    ts.forEachChild(node, (child) => {
      if (child.getStart() < start || isLeftAlone(child)) return;
      emitted += text.slice(at, child.getStart()) + this.#emitNode(child);
      at = child.end;
    });
    return emitted + text.slice(at, end);
  }

  #emitNode(node: ts.Node): string {
    const [start, end] = [node.getStart(), node.end];
    const inner = this.#emit(node, start, end);
    if (!ts.isBlock(node) && !ts.isExpression(node)) return inner;
    const own = this.#bySpan.get(`${start} ${end}`) ?? [];
    return own.reduce(
      (rest, { id, after, kind }) =>
        kind === 'block' ? `{if(__is(${id})){}else${rest}}` : `(__is(${id})?(${after}):(${rest}))`,
      inner,
    );
  }
}

/** Finds the mutants of a file and puts them all into its code, which stays TypeScript. */
export function instrument(file: string, text: string, firstId: number) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const { mutants, code } = new Instrumenter(source, firstId);
  return { mutants, code };
}
