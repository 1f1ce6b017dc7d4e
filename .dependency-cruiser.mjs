/**
 * The walls of the house: a room imports from those below it, types included, and files import in
 * no circle. `docs/architecture.md` shows the rooms.
 */
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

/** The rooms that decide an answer: they know no file, no clock, no network. */
const HEART = ['billing', 'errors', 'decisions', 'values', 'store'];

/** The rooms of the service, which runs wherever there is JavaScript: a request is a value. */
const SERVICE = [
  ...['control-plane', 'service', 'accounts', 'datasets', 'stubs', 'openapi', 'generated'],
  ...HEART,
];

const FASTEST_LEVENSHTEIN = '^node_modules/fastest-levenshtein/';

const path = (rooms) => `^src/(${rooms.join('|')})/`;

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    ...ROOMS.map((room, floor) => ({
      name: `nothing-below-knows-${room}`,
      severity: 'error',
      from: { path: path(ROOMS.slice(floor + 1)) },
      to: { path: path([room]) },
    })).slice(0, -1),
    {
      name: 'nobody-knows-the-doors',
      severity: 'error',
      from: { path: '^src/.+/' },
      to: { path: '^src/[^/]+$' },
    },
    {
      name: 'the-heart-is-pure',
      comment: 'What decides an answer imports nothing but itself, and types of the documents.',
      severity: 'error',
      from: { path: path(HEART) },
      to: { pathNot: [path([...HEART, 'generated']), FASTEST_LEVENSHTEIN] },
    },
    {
      name: 'the-heart-takes-types-from-generated',
      severity: 'error',
      from: { path: path(HEART) },
      to: { path: path(['generated']), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-service-knows-no-framework',
      comment: 'Types apart: those of the judge are the types of the documents.',
      severity: 'error',
      from: { path: path(SERVICE) },
      to: {
        path: '^node_modules/((@types/)?express|express-openapi-validator|pino)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the-service-knows-no-node',
      comment: 'What it needs of its surroundings is handed in, as by src/service/platform.ts.',
      severity: 'error',
      from: { path: path(SERVICE) },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-client-runs-anywhere',
      comment: 'All else it takes are types: it runs in a browser and has a few kB.',
      severity: 'error',
      from: { path: path(['client']) },
      to: { pathNot: path(['client', 'errors', 'values']), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-values-measure-names',
      severity: 'error',
      from: { pathNot: path(['values']) },
      to: { path: FASTEST_LEVENSHTEIN },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
