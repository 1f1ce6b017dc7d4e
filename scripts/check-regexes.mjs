// Fails if a regular expression in src/ takes more than linear time for some text: a single request
// with such a text would block the mock for everybody. Recheck does not find scans that succeed
// without consuming what they have read, such as /a(.*b)?/g: use indexOf for these. Expressions
// that were found safe before are not checked again.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';

/** Files that may build expressions at run time, which cannot be checked here, and why. */
const BUILT = {
  'src/kits/playwright/intercept-requests.ts':
    'a glob that a test gives, as Playwright itself matches it',
  'src/tools/settle/seen/hide-customers.ts': 'names of customers, escaped, which repeat nothing',
};

/** For each of recheck's timeouts: long enough that a busy machine makes no expression fail. */
const TIMEOUT_MS = 30_000;

/** The expressions that were found safe; a new installation begins without the file. */
const SAFE = 'node_modules/.cache/safe-regexes.json';

/** The regular expressions in a file, and the places where it builds others. */
function expressionsIn(/** @type {string} */ file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  /** @type {{ place: string, literal?: string }[]} */
  const found = [];
  (function visit(/** @type {ts.Node} */ node) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const place = `${file}:${line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) found.push({ place, literal: node.text });
    const isBuilt = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isBuilt && node.expression.getText() === 'RegExp' && !(file in BUILT))
      found.push({ place });
    ts.forEachChild(node, visit);
  })(source);
  return found;
}

/** Why an expression is refused; undefined if it is safe. */
async function mistakeOf(/** @type {string | undefined} */ literal) {
  if (literal === undefined) return 'is built when the mock runs: write a literal, or list it here';
  // Only unbounded repetition can take long.
  if (!/[*+]|,\}/.test(literal)) return undefined;
  const end = literal.lastIndexOf('/');
  const options = {
    timeout: TIMEOUT_MS,
    incubationTimeout: TIMEOUT_MS,
    attackTimeout: TIMEOUT_MS,
  };
  const told = await check(literal.slice(1, end), literal.slice(end + 1), options);
  if (told.status === 'safe') return undefined;
  if (told.status === 'unknown') return `could not be checked: ${told.error.kind}`;
  return `${literal} takes ${told.complexity.summary} time, for example on ${told.attack.pattern}`;
}

function foundSafe() {
  try {
    return JSON.parse(readFileSync(SAFE, 'utf8'));
  } catch {
    return [];
  }
}

const wasSafe = new Set(foundSafe());
/** @type {Set<string>} */
const safe = new Set();
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
  .map((file) => `src/${file.replaceAll('\\', '/')}`);
const mistakes = await Promise.all(
  files
    .sort()
    .flatMap(expressionsIn)
    .map(async ({ place, literal }) => {
      const mistake = wasSafe.has(literal) ? undefined : await mistakeOf(literal);
      if (mistake !== undefined) return [`${place}: ${mistake}`];
      safe.add(String(literal));
      return [];
    }),
);
mkdirSync(dirname(SAFE), { recursive: true });
writeFileSync(SAFE, JSON.stringify([...safe]));
for (const line of mistakes.flat()) console.error(line);
// Recheck's own process would keep this one alive.
process.exit(mistakes.flat().length > 0 ? 1 : 0);
