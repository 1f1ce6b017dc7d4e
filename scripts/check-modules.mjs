// Fails if a file imports, types included, from a module that its own must not know.
// `docs/architecture.md` shows the modules; Biome finds import cycles.
import { importsOf, sourceFiles } from './import-graph.mjs';

/** Each module may import from those below it in this list. */
const MODULES = ['command-line', 'kits', 'page', 'tools', 'host', 'mock', 'core', 'generated'];

/** What decides a response: it knows no files, clocks or network. */
const PURE = ['core/billing', 'core/errors', 'core/decisions', 'core/values', 'core/store'];
/** What runs wherever there is JavaScript. */
const SERVICE = ['mock', 'core', 'generated'];
const FACADE = 'src/spec.ts';
/** The names of operations, parameters and fields. */
const NAMES = 'src/generated/operations.ts';
const FRAMEWORK = /^(express|express-openapi-validator|pino)(\/|$)/;

/** @typedef {import('./import-graph.mjs').Import & { from: string }} Edge */

/** @type {Record<string, (edge: Edge) => boolean>} Whether an import breaks each rule. */
const RULES = {
  'modules know only those below them': ({ from, to }) => levelOf(to) < levelOf(from),
  'no module knows the entry points': ({ from, to }) =>
    moduleOf(from) !== '' && moduleOf(to) === '' && to !== FACADE,
  'tools and the page know the mock by its facade, #spec': ({ from, to }) =>
    isIn(from, ['tools', 'page']) && isIn(to, SERVICE) && !isIn(to, ['core/errors', 'core/values']),
  'what decides a response imports nothing but itself': ({ from, to }) =>
    isIn(from, PURE) && !isIn(to, [...PURE, 'generated']) && to !== 'fastest-levenshtein',
  'what decides a response takes only types and names of the documents': (edge) =>
    isIn(edge.from, PURE) && isIn(edge.to, ['generated']) && !edge.isTypeOnly && edge.to !== NAMES,
  'an exchange tells its subscribers: the service knows none of them': ({ from, to }) =>
    isIn(from, ['mock/service']) &&
    (isIn(to, ['mock/subscribers', 'mock/coverage']) || to === 'pino'),
  'a request is a value: the service knows no framework': ({ from, to, isTypeOnly }) =>
    isIn(from, SERVICE) && FRAMEWORK.test(to) && !isTypeOnly,
  'a request is a value: the service is handed what it needs of Node': ({ from, to }) =>
    isIn(from, SERVICE) && to.startsWith('node:'),
  'the client runs in a browser, in a few kB': ({ from, to, isTypeOnly }) =>
    isIn(from, ['mock/client']) &&
    !isIn(to, ['mock/client', 'core/errors', 'core/values']) &&
    !isTypeOnly,
  'only values measure how near names are': ({ from, to }) =>
    !isIn(from, ['core/values']) && to === 'fastest-levenshtein',
};

/** The module of a file: its folder in src/; '' for entry points, undefined outside src/. */
function moduleOf(/** @type {string} */ path) {
  const [top, folder, ...below] = path.split('/');
  if (top !== 'src') return undefined;
  return below.length > 0 ? folder : '';
}

/** How far down a module is; NaN, which compares with nothing, for a path outside all of them. */
function levelOf(/** @type {string} */ path) {
  const level = MODULES.indexOf(moduleOf(path) ?? '');
  return level < 0 ? Number.NaN : level;
}

function isIn(/** @type {string} */ path, /** @type {readonly string[]} */ folders) {
  return folders.some((folder) => path.startsWith(`src/${folder}/`));
}

const broken = sourceFiles.flatMap((from) =>
  importsOf(from).flatMap((edge) =>
    Object.entries(RULES)
      .filter(([, isBroken]) => isBroken({ from, ...edge }))
      .map(([rule]) => `${from} imports ${edge.to}: ${rule}.`),
  ),
);
for (const line of broken) console.error(line);
process.exitCode = broken.length > 0 ? 1 : 0;
