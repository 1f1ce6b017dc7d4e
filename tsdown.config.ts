import { defineConfig, type UserConfig } from 'tsdown';

/** What can be imported from ES modules and from CommonJS. */
const LIBRARY = {
  index: 'src/index.ts',
  jest: 'src/kit/jest.ts',
  'jest-environment': 'src/kit/jest-environment.ts',
};

/** vitest itself cannot be required, so that its kit need not be. */
const ES_MODULES = { ...LIBRARY, vitest: 'src/kit/vitest.ts' };

const shared: UserConfig = {
  // All that the package needs is in its own files: to find and read 400 files takes longer than to
  // run them, in every start, every file of tests and every installation.
  deps: {
    alwaysBundle: /./,
    neverBundle: ['@jest/globals', 'jest-environment-node', 'vitest'],
    onlyBundle: false,
  },
};

const commonJs: UserConfig = { ...shared, format: 'cjs', shims: true, clean: false };

export default defineConfig([
  { ...shared, entry: ES_MODULES, format: 'esm', dts: true },
  {
    ...commonJs,
    entry: { ...LIBRARY, 'command-line': 'src/command-line/main.ts' },
    dts: { entry: Object.values(LIBRARY) },
  },
  // By itself, because it loads the command, and what that shares with the library, in its own way.
  { ...commonJs, entry: 'src/cli.ts' },
]);
