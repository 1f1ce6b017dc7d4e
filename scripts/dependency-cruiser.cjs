// What imports what, types included; `docs/architecture.md` shows the modules, and Biome finds cycles.

/** Each module may import from those below it in this list. */
const MODULES = ['command-line', 'kits', 'page', 'tools', 'host', 'mock', 'core', 'generated'];
/** What decides a response: it knows no files, clocks or network. */
const PURE = '^src/core/(billing|errors|decisions|values|store)/';
/** What runs wherever there is JavaScript. */
const SERVICE = '^src/(mock|core|generated)/';
/** What the rest may import of each guest: one file for each that does; or nothing. */
const ENTRIES = {
  ...{ page: [], 'kits/playwright': [], 'kits/vite': [], 'kits/jest': [], 'kits/vitest': [] },
  'tools/matrix': ['command/matrix-command'],
  'tools/settle': ['settle', 'command/settle-command', 'recordings/recorded-fixture'],
};
const NO_TYPE = { dependencyTypesNot: ['type-only'] };

/** @param {string} name @param {string | object} from @param {string | object} to */
const forbid = (name, from, to) => ({
  ...{ name, severity: 'error' },
  from: typeof from === 'string' ? { path: from } : from,
  to: typeof to === 'string' ? { path: to } : to,
});

module.exports = {
  forbidden: [
    ...MODULES.slice(1).map((module, above) =>
      forbid(
        `${module} knows only the modules below it`,
        `^src/${module}/`,
        `^src/(${MODULES.slice(0, above + 1).join('|')})/`,
      ),
    ),
    forbid('no module knows the entry points', '^src/.+/', '^src/(?!spec\\.ts)[^/]+$'),
    forbid(
      'kits, tools and the page know the mock by its facade, #spec',
      '^src/(kits|tools|page)/',
      {
        path: SERVICE,
        pathNot: '^src/core/(errors|values)/',
      },
    ),
    ...Object.entries(ENTRIES).map(([guest, entries]) =>
      forbid(
        `${guest} is imported by its entries alone`,
        { path: '^src/', pathNot: `^src/${guest}/` },
        { path: `^src/${guest}/`, pathNot: `^src/${guest}/(${entries.join('|')})\\.ts$` },
      ),
    ),
    forbid('what decides a response imports nothing but itself', PURE, {
      pathNot: [PURE, '^src/generated/', 'node_modules/fastest-levenshtein/'],
    }),
    forbid('what decides a response takes only types and names of the documents', PURE, {
      ...NO_TYPE,
      ...{ path: '^src/generated/', pathNot: 'operations\\.ts$' },
    }),
    forbid(
      'an exchange tells its subscribers: the service knows none of them',
      '^src/mock/service/',
      '^src/mock/(subscribers|coverage)/|node_modules/pino/',
    ),
    forbid('a request is a value: the service knows no framework', SERVICE, {
      ...NO_TYPE,
      path: 'node_modules/(@types/)?(express|express-openapi-validator|pino)/',
    }),
    forbid('the service is handed what it needs of Node', SERVICE, { dependencyTypes: ['core'] }),
    forbid('the client runs in a browser, in a few kB', '^src/mock/client/', {
      ...NO_TYPE,
      pathNot: '^src/(mock/client|core/errors|core/values)/',
    }),
    forbid(
      'only values measure how near names are',
      { path: '^src/', pathNot: '^src/core/values/' },
      'node_modules/fastest-levenshtein/',
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: { conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
