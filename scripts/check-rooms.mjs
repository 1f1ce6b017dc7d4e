// Fails if a file imports, types included, from a module that its own must not know.
// `docs/architecture.md` shows the modules; Biome finds import cycles.
import { importsOf, sourceFiles } from './import-graph.mjs';

/** Each module may import from those below it in this list. */
const ROOMS = [
  'command-line',
  'kits',
  'client',
  'page',
  'matrix',
  'settle',
  'server',
  'options',
  'doors',
  'control-plane',
  'service',
  'accounts',
  'coverage',
  'datasets',
  'stubs',
  'openapi',
  'billing',
  'errors',
  'decisions',
  'values',
  'store',
  'generated',
];

/** The core, which decides what a response is: it knows no files, clocks or network. */
const CORE = ['billing', 'errors', 'decisions', 'values', 'store'];
/** The modules of the service, which runs wherever there is JavaScript. */
const SERVICE = [
  ...[
    'control-plane',
    'service',
    'accounts',
    'coverage',
    'datasets',
    'stubs',
    'openapi',
    'generated',
  ],
  ...CORE,
];
/** The names of operations, parameters and fields. */
const NAMES = 'src/generated/operations.ts';
const FRAMEWORK = /^(express|express-openapi-validator|pino)(\/|$)/;

/** @typedef {import('./import-graph.mjs').Import & { from: string }} Edge */

/** @type {Record<string, (edge: Edge) => boolean>} Whether an import breaks each rule. */
const RULES = {
  'rooms know only those below them': ({ from, to }) => levelOf(to) < levelOf(from),
  'no room knows the entry points': ({ from, to }) => roomOf(from) !== '' && roomOf(to) === '',
  'what decides a response imports nothing but itself': ({ from, to }) =>
    isIn(from, CORE) && !isIn(to, [...CORE, 'generated']) && to !== 'fastest-levenshtein',
  'what decides a response takes only types and names of the documents': (edge) =>
    isIn(edge.from, CORE) && isIn(edge.to, ['generated']) && !edge.isTypeOnly && edge.to !== NAMES,
  'a request is a value: the service knows no framework': ({ from, to, isTypeOnly }) =>
    isIn(from, SERVICE) && FRAMEWORK.test(to) && !isTypeOnly,
  'a request is a value: the service is handed what it needs of Node': ({ from, to }) =>
    isIn(from, SERVICE) && to.startsWith('node:'),
  'the client runs in a browser, in a few kB': ({ from, to, isTypeOnly }) =>
    isIn(from, ['client']) && !isIn(to, ['client', 'errors', 'values']) && !isTypeOnly,
  'only values measure how near names are': ({ from, to }) =>
    !isIn(from, ['values']) && to === 'fastest-levenshtein',
};

/** The module of a file: its folder below src/; '' for entry points, undefined outside src/. */
function roomOf(/** @type {string} */ path) {
  return /^src\/(?:([^/]+)\/)?/
    .exec(path)
    ?.slice(1)
    .map((room = '') => room)[0];
}

/** How far down a module is; NaN, which compares with nothing, for a path outside all of them. */
function levelOf(/** @type {string} */ path) {
  const level = ROOMS.indexOf(roomOf(path) ?? '');
  return level < 0 ? Number.NaN : level;
}

function isIn(/** @type {string} */ path, /** @type {readonly string[]} */ rooms) {
  return rooms.includes(roomOf(path) ?? '');
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
