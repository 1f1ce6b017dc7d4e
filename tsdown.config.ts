import { defineConfig } from 'tsdown';

export default defineConfig([
  { entry: ['src/index.ts', 'src/cli.ts'], format: 'esm', dts: { entry: 'src/index.ts' } },
  {
    entry: 'src/index.ts',
    format: 'cjs',
    dts: true,
    shims: true,
    clean: false,
    // It ships ES modules only, which jest cannot require.
    deps: { alwaysBundle: [/^@faker-js\/faker/], onlyBundle: [/^@faker-js\/faker/] },
  },
]);
