import ts from 'typescript';
import { mutatePattern } from './mutate-pattern.js';

const { SyntaxKind } = ts;

/** Operators with what stands in their place. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '%=': ['*='],
  '&=': ['|='],
  '|=': ['&='],
  '^=': ['&='],
  '<<=': ['>>='],
  '>>=': ['<<='],
  '>>>=': ['<<='],
  '&&=': ['||='],
  '||=': ['&&='],
  '??=': ['&&='],
};

/** Operators whose result is a truth that may also be constant. */
const TRUTHS = new Set(['<', '<=', '>', '>=', '===', '!==', '&&', '||']);

/** Methods with one in their place; '' takes the call away. */
const METHODS = new Map(
  Object.entries({
    startsWith: 'endsWith',
    endsWith: 'startsWith',
    some: 'every',
    every: 'some',
    min: 'max',
    max: 'min',
    toLowerCase: 'toUpperCase',
    toUpperCase: 'toLowerCase',
    indexOf: 'lastIndexOf',
    lastIndexOf: 'indexOf',
    find: 'findLast',
    findLast: 'find',
    trim: '',
    trimStart: '',
    trimEnd: '',
    filter: '',
    slice: '',
    sort: '',
    toSorted: '',
    reverse: '',
    toReversed: '',
    flat: '',
  }),
);

const textOf = (node: ts.Node) => node.getText();

function isString(node: ts.Node): boolean {
  return ts.isStringLiteral(node) || ts.isTemplateLiteral(node);
}

/** Whether the value only decides which way is taken. */
function isCondition(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  return ts.isConditionalExpression(parent) && parent.condition === node;
}

/** A loop without an end says nothing about tests. */
function isLoopCondition(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isForStatement(parent)) return parent.condition === node;
  return (ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === node;
}

function ofBinary(node: ts.BinaryExpression): string[] {
  const operator = textOf(node.operatorToken);
  if (operator === '+' && (isString(node.left) || isString(node.right))) return [];
  const [left, right] = [textOf(node.left), textOf(node.right)];
  const bracketed = (side: ts.Expression, text: string) =>
    ts.isBinaryExpression(side) || ts.isConditionalExpression(side) ? `(${text})` : text;
  const changed = (OPERATORS[operator] ?? []).map((other) =>
    operator.endsWith('=') && !['<=', '>=', '===', '!=='].includes(operator)
      ? `${left} ${other} ${right}`
      : `${bracketed(node.left, left)} ${other} ${bracketed(node.right, right)}`,
  );
  if (isLoopCondition(node)) return [...changed, 'false'];
  return TRUTHS.has(operator) ? [...changed, 'true', 'false'] : changed;
}

function ofUnary({ operator, operand }: ts.PrefixUnaryExpression): string[] {
  const value = textOf(operand);
  if (operator === SyntaxKind.ExclamationToken) return [value];
  if (operator === SyntaxKind.MinusToken) return [`+${value}`];
  if (operator === SyntaxKind.PlusToken) return [`-${value}`];
  if (operator === SyntaxKind.TildeToken) return [value];
  return [operator === SyntaxKind.PlusPlusToken ? `--${value}` : `++${value}`];
}

function ofPostfix({ operator, operand }: ts.PostfixUnaryExpression): string[] {
  return [`${textOf(operand)}${operator === SyntaxKind.PlusPlusToken ? '--' : '++'}`];
}

function ofCall(node: ts.CallExpression): string[] {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const method = METHODS.get(expression.name.text);
  if (method === undefined) return [];
  const object = textOf(expression.expression);
  if (method === '') return [object];
  const from = expression.name.getEnd();
  const rest = node.getSourceFile().text.slice(from, node.getEnd());
  return [`${object}${expression.questionDotToken ? '?.' : '.'}${method}${rest}`];
}

/** What has a blank is words for people; what tests show them is not repeated here. */
function ofText(text: string): string[] {
  return text === '' || /\s/.test(text) ? [] : ["''"];
}

function ofTemplate(node: ts.TemplateExpression): string[] {
  const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
  return ofText(parts.map(({ text }) => text).join('') || '-');
}

function isValue(node: ts.Node): boolean {
  const { parent } = node;
  const isName =
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ('name' in parent && parent.name === node);
  return !isName && !ts.isTypeNode(parent);
}

function ofArrow({ body }: ts.ArrowFunction): { node: ts.Node; texts: string[] } | undefined {
  return ts.isBlock(body) || textOf(body) === 'undefined'
    ? undefined
    : { node: body, texts: ['undefined'] };
}

function ofLiteral(node: ts.Node): string[] {
  if (node.kind === SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === SyntaxKind.FalseKeyword) return ['true'];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return ofText(node.text);
  if (ts.isTemplateExpression(node)) return ofTemplate(node);
  if (ts.isRegularExpressionLiteral(node)) return mutatePattern(node.text);
  if (ts.isArrayLiteralExpression(node)) return [node.elements.length > 0 ? '[]' : "['mutated']"];
  return ts.isObjectLiteralExpression(node) && node.properties.length > 0 ? ['{}'] : [];
}

/** The expressions that take the place of a node; the node is the one that they replace. */
export function expressionsFor(node: ts.Node): { node: ts.Node; texts: string[] } | undefined {
  if (ts.isArrowFunction(node)) return ofArrow(node);
  if (!ts.isExpression(node) || !isValue(node)) return undefined;
  const texts = new Set(isCondition(node) ? ['true', 'false'] : []);
  const own = ts.isBinaryExpression(node)
    ? ofBinary(node)
    : ts.isPrefixUnaryExpression(node)
      ? ofUnary(node)
      : ts.isPostfixUnaryExpression(node)
        ? ofPostfix(node)
        : ts.isCallExpression(node)
          ? ofCall(node)
          : ofLiteral(node);
  for (const text of own) texts.add(text);
  return { node, texts: [...texts] };
}
