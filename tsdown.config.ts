import { defineConfig } from 'tsdown';

/** What can be imported from ES modules and from CommonJS. */
const LIBRARY = {
  index: 'src/index.ts',
  jest: 'src/kit/jest.ts',
  'jest-environment': 'src/kit/jest-environment.ts',
};

/** vitest itself cannot be required, so that its kit need not be. */
const VITEST = { vitest: 'src/kit/vitest.ts' };

export default defineConfig([
  // The command is one file with all that it needs: reading 400 files takes longer than running them.
  {
    entry: { cli: 'src/cli.ts' },
    format: 'esm',
    dts: false,
    deps: { alwaysBundle: /./, onlyBundle: false },
  },
  {
    entry: { ...LIBRARY, ...VITEST },
    format: 'esm',
    clean: false,
    dts: { entry: Object.values({ ...LIBRARY, ...VITEST }) },
  },
  {
    entry: LIBRARY,
    format: 'cjs',
    dts: true,
    shims: true,
    clean: false,
    // It ships ES modules only, which jest cannot require.
    deps: { alwaysBundle: [/^@faker-js\/faker/], onlyBundle: [/^@faker-js\/faker/] },
  },
]);
