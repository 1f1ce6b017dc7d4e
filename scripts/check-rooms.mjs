// Fails if a file imports, types included, what its room may not know, or if two files have one name.
// `docs/architecture.md` shows the rooms; that files import in no circle is a rule of Biome.
import { basename } from 'node:path';
import { importsOf, sourceFiles } from './import-graph.mjs';

/** A room imports from those below it. */
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

/** The rooms that decide a response: they know no file, no clock, no network. */
const HEART = ['billing', 'errors', 'decisions', 'values', 'store'];
/** Those of the service, which runs wherever there is JavaScript: a request is a value. */
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
  ...HEART,
];
const FRAMEWORK = /^(express|express-openapi-validator|pino)(\/|$)/;

/** @typedef {import('./import-graph.mjs').Import & { from: string }} Edge */

/** @type {Record<string, (edge: Edge) => boolean>} What is wrong with an import -> whether it is. */
const RULES = {
  'rooms know only those below them': ({ from, to }) => levelOf(to) < levelOf(from),
  'no room knows the entry points': ({ from, to }) => roomOf(from) !== '' && roomOf(to) === '',
  'what decides a response imports nothing but itself': ({ from, to }) =>
    isIn(from, HEART) && !isIn(to, [...HEART, 'generated']) && to !== 'fastest-levenshtein',
  'what decides a response takes only types of the documents': ({ from, to, isTypeOnly }) =>
    isIn(from, HEART) && isIn(to, ['generated']) && !isTypeOnly,
  'a request is a value: the service knows no framework': ({ from, to, isTypeOnly }) =>
    isIn(from, SERVICE) && FRAMEWORK.test(to) && !isTypeOnly,
  'a request is a value: the service is handed what it needs of Node': ({ from, to }) =>
    isIn(from, SERVICE) && to.startsWith('node:'),
  'the client runs in a browser, in a few kB': ({ from, to, isTypeOnly }) =>
    isIn(from, ['client']) && !isIn(to, ['client', 'errors', 'values']) && !isTypeOnly,
  'only values measure how near names are': ({ from, to }) =>
    !isIn(from, ['values']) && to === 'fastest-levenshtein',
};

/** The folder below src/ of a file; empty for the entry points, undefined for what is elsewhere. */
function roomOf(/** @type {string} */ path) {
  return /^src\/(?:([^/]+)\/)?/
    .exec(path)
    ?.slice(1)
    .map((room = '') => room)[0];
}

/** How far down a room is; NaN for what is in none, which compares with nothing. */
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
const names = sourceFiles.map((file) => basename(file));
const sameNames = sourceFiles
  .filter((_, nth) => names.indexOf(names[nth] ?? '') < nth)
  .map((file) => `Another file is called ${basename(file)}, too: rename ${file}.`);
const wrong = [...broken, ...sameNames];
for (const line of wrong) console.error(line);
process.exitCode = wrong.length > 0 ? 1 : 0;
