/**
 * The walls of the house: a room imports from those below it, types included, and files import in
 * no circle. `docs/architecture.md` shows the rooms.
 */
const ROOMS = [
  'command-line',
  'kit',
  'matrix',
  'server',
  'options',
  'control-plane',
  'http',
  'accounts',
  'datasets',
  'openapi',
  'billing',
  'errors',
  'decisions',
  'messages',
  'store',
  'generated',
];

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
      comment:
        'What decides an answer takes nothing from outside but what measures the distance of names.',
      severity: 'error',
      from: { path: path(['billing', 'errors', 'decisions', 'messages', 'store']) },
      to: {
        pathNot: [
          path(['billing', 'errors', 'decisions', 'messages', 'store', 'generated']),
          'fastest-levenshtein',
        ],
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
