import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'tsdown';
import { parse } from 'yaml';
import { globalsOrOwn } from './missing-globals.mjs';
import * as realTimers from './real-timers.mjs';

/**
 * The library, what the kits load of it when they need it, and the kit that loads all of it. Their ES
 * modules are written by scripts/build.mjs: they export what these do, so that there is one library.
 */
const LIBRARY = {
  index: 'src/index.ts',
  library: 'src/kits/in-process/library.ts',
  vite: 'src/kits/vite/vite.ts',
};

/** What pages and applications load, whose bundlers would follow every import: each is one file. */
const ALONE: Readonly<Record<string, string>> = {
  client: 'src/mock/client/connect-mock-server.ts',
  'playwright-app': 'src/kits/playwright/playwright-app.ts',
};

/** What test runners load, from ES modules and from CommonJS. */
const KITS = {
  jest: 'src/kits/jest/jest.ts',
  'jest-environment': 'src/kits/jest/jest-environment.ts',
  playwright: 'src/kits/playwright/playwright.ts',
};

/** vitest itself cannot be required, so that its kit need not be. */
const KITS_OF_MODULES = {
  ...KITS,
  vitest: 'src/kits/vitest/vitest.ts',
};

const standIn = (name: string) => fileURLToPath(new URL(`stand-ins/${name}`, import.meta.url));

/**
 * What stands for packages of which nothing, or next to nothing, is reached: a third of all code.
 * Nothing leads to the parser of uploads, from which `fileUploader: false` keeps the validator, to
 * the threads in which a log could be written, nor to character sets: bodies are read as bytes. The
 * documents are of OpenAPI 3.0, whose schemas are not those of JSON Schema 2020-12.
 */
const STAND_INS = {
  'ajv/dist/2020': standIn('unreachable.cjs'),
  'lodash.clonedeep': standIn('clone-deep.cjs'),
  'iconv-lite': standIn('unreachable.cjs'),
  'thread-stream': standIn('unreachable.cjs'),
  yaml: standIn('late-yaml.mjs'),
};

/** What stands for `url` in the validator alone: Express needs all that it parses. */
const queryOfTarget = {
  name: 'query-of-target',
  resolveId: (id: string, importer = '') =>
    id === 'url' && /[\\/]express-openapi-validator[\\/]/.test(importer)
      ? standIn('query-of-target.cjs')
      : undefined,
};

/** Of the table of media types those that have a character set, or a short name that code uses. */
const mediaTypes = {
  name: 'media-types',
  load(id: string) {
    if (!/[\\/]mime-db[\\/]db\.json$/.test(id)) return undefined;
    const all = Object.entries<{ charset?: string }>(JSON.parse(readFileSync(id, 'utf8')));
    const kept = all.filter(([type, { charset }]) => charset || NAMED_TYPES.includes(type));
    return { code: JSON.stringify(Object.fromEntries(kept)), moduleType: 'json' as const };
  },
};
const NAMED_TYPES = [
  'application/json',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/html',
  'text/plain',
];

const COMPILED = '\0compiled-path-validators';
const REQUIRE_COMPILED = fileURLToPath(
  new URL('../src/core/openapi/compiled-validators.ts', import.meta.url),
);

/** Compiles here what express-openapi-validator would otherwise compile in every start. */
const compiledPathValidators = {
  name: 'compiled-path-validators',
  resolveId: (id: string) => (id.endsWith('/compiled-path-validators.js') ? COMPILED : undefined),
  async load(id: string) {
    if (id !== COMPILED) return undefined;
    const { tsImport } = await import('tsx/esm/api');
    const { compilePaths } = await tsImport('./compile-validators.ts', import.meta.url);
    const code = compilePaths(parse(readFileSync('openapi.yaml', 'utf8')));
    return `import { requireCompiled } from ${JSON.stringify(REQUIRE_COMPILED)};
      export const compiledPaths = (${code})(requireCompiled);`;
  },
};

/** The folders below those that only a command, a kit or a call of the library loads. */
const SHARED =
  /src[\\/](?:host[\\/](?:server|options|adapters)|mock[\\/](?:control-plane|service|accounts)|core[\\/](?:datasets|openapi|billing|errors|decisions|values|store)|generated)[\\/]/;

const TIMERS = fileURLToPath(new URL('real-timers.mjs', import.meta.url));
const GLOBALS = fileURLToPath(new URL('missing-globals.mjs', import.meta.url));

/** What test runners fake, or take away, by its name in the code, and the file that has it. */
const INJECTED: Record<string, [string, string]> = {
  ...Object.fromEntries(Object.keys(realTimers).map((name) => [name, [TIMERS, name]])),
  'process.nextTick': [TIMERS, 'nextTick'],
  globalsOrOwn: [GLOBALS, 'globalsOrOwn'],
  'crypto.randomUUID': ['node:crypto', 'randomUUID'],
  TextDecoder: ['node:util', 'TextDecoder'],
  TextEncoder: ['node:util', 'TextEncoder'],
};

/** What an environment of a test runner may lack, as members of what the file gives. */
const DEFINED = Object.fromEntries(
  Object.keys(globalsOrOwn).map((name) => [name, `globalsOrOwn.${name}`]),
);

const OUTPUT = {
  // Docstrings are in the types: what is loaded in every file of tests need not have them too.
  comments: { legal: true, annotation: true, jsdoc: false },
  // They only name lines in logged stacks.
  sourcemapExcludeSources: true,
};

/** What its users have. */
const NOT_BUNDLED = [
  '@jest/globals',
  '@playwright/test',
  'jest-environment-node',
  'vite',
  'vitest',
];

const shared: UserConfig = {
  // For NODE_OPTIONS=--enable-source-maps.
  sourcemap: true,
  // All that the package needs is in its own files: to find and read 400 files takes longer than to
  // run them, in every start, every file of tests and every installation.
  deps: {
    alwaysBundle: /./,
    neverBundle: NOT_BUNDLED,
    onlyBundle: false,
  },
  alias: { ...STAND_INS, 'node:timers': TIMERS },
  plugins: [mediaTypes, queryOfTarget, compiledPathValidators],
  // What a start needs is one file, also where code that is loaded only for an option shares some of it.
  outputOptions: {
    codeSplitting: {
      groups: [{ name: 'mock-server', test: SHARED, minShareCount: 2 }],
    },
    ...OUTPUT,
  },
  inputOptions({ transform, ...options }) {
    const inject = { ...transform?.inject, ...INJECTED };
    const define = { ...transform?.define, ...DEFINED };
    return { ...options, transform: { ...transform, inject, define } };
  },
};

/** For browsers too, so that nothing of Node replaces a global. */
const alone = Object.entries(ALONE).map(
  ([name, source]): UserConfig => ({
    entry: { [name]: source },
    // Bundlers of pages would look for the sources, and warn.
    sourcemap: 'hidden',
    outputOptions: OUTPUT,
    platform: 'neutral',
    fixedExtension: true,
    format: ['esm', 'cjs'],
    dts: false,
    clean: false,
  }),
);

/** The library is left out of the kits: they load its file, and only when they need it. */
function kits(format: 'esm' | 'cjs', extension: string): UserConfig {
  const plugins = [
    {
      name: 'library-of-kits',
      resolveId: (id: string) =>
        id === './library.js' ? { id: `./library.${extension}`, external: true } : undefined,
    },
  ];
  const outputOptions: UserConfig['outputOptions'] = {
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
    ...OUTPUT,
    chunkFileNames: `kit-[name]-[hash].${extension}`,
    // jest cannot import in a file of CommonJS.
    dynamicImportInCjs: false,
  };
  return {
    ...shared,
    entry: format === 'esm' ? KITS_OF_MODULES : KITS,
    format,
    plugins: [mediaTypes, ...plugins],
    outputOptions,
    shims: true,
    dts: false,
    clean: false,
  };
}

const commonJs: UserConfig = { ...shared, format: 'cjs', shims: true, dts: false, clean: false };

export default defineConfig([
  // The types of all entry points, so that what they share is in one file; scripts/build.mjs makes those
  // of CommonJS from them.
  {
    ...shared,
    entry: {
      ...{ index: LIBRARY.index, vite: LIBRARY.vite, browser: 'src/browser.ts' },
      ...ALONE,
      ...KITS_OF_MODULES,
    },
    format: 'esm',
    // No public type needs those of ajv, to which the facade leads; one of them cannot be read.
    deps: { ...shared.deps, neverBundle: [...NOT_BUNDLED, /^ajv/] },
    inputOptions: {},
    outputOptions: {},
    dts: { emitDtsOnly: true },
  },
  {
    ...commonJs,
    entry: { ...LIBRARY, 'command-line': 'src/command-line/program.ts' },
  },
  kits('esm', 'mjs'),
  kits('cjs', 'cjs'),
  ...alone,
  // By itself, so that a start which reads no other fixture than those shipped need not read it.
  { ...commonJs, entry: { yaml: 'yaml' }, alias: {}, sourcemap: false },
  // By itself, because it loads the rest in its own way: with the code that V8 has kept.
  { ...commonJs, entry: 'src/cli.ts' },
  // What the browser loads; not minified, so that whoever looks at it can read it.
  {
    entry: { page: 'src/page/main.tsx' },
    outDir: 'dist/page',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    tsconfig: 'src/page/tsconfig.json',
    deps: { alwaysBundle: /./, onlyBundle: false },
    outExtensions: () => ({ js: '.js' }),
    dts: false,
    clean: false,
  },
]);
