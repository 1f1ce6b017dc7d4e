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
  {
    entry: { ...LIBRARY, ...VITEST, cli: 'src/cli.ts' },
    format: 'esm',
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
