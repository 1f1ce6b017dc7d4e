import { availableParallelism } from 'node:os';

/**
 * The stages of the tests, by what stands before `.test.ts` in a file's name: the gate (nothing)
 * and `ci` run in the process of the tests, `process` starts the command, a browser, another runner
 * or a compiler, and `weekly` takes long. `scripts/test.mjs` says who runs which.
 */
const STAGES = {
  gate: '',
  ci: String.raw`\.ci`,
  process: String.raw`\.process`,
  weekly: String.raw`\.weekly`,
};

const shared = {
  // These are projects of their own, to be run where the package is installed.
  testPathIgnorePatterns: ['/node_modules/', '/test/package/projects/', '<rootDir>/.stryker-tmp/'],
  // What a file leaves in its globals leads to its tests, and through these to all of its modules.
  testEnvironmentOptions: { globalsCleanup: 'on' },
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript names the compiled file in an import; jest wants the source.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$|/@faker-js/faker/dist/': '<rootDir>/test/support/transform.mjs' },
  transformIgnorePatterns: ['/node_modules/(?!@faker-js/faker/)'],
  // The same for CommonJS: its modules name such a global in no time.
  sandboxInjectedGlobals: ['Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Set', 'String'],
};

export default {
  // Most tests wait for servers that they start: a core would be lost while they do.
  maxWorkers: availableParallelism() + 1,
  // Tests of settle wait for services: 3 s to ask again, side by side.
  maxConcurrency: 20,
  // No test is about how fast the machine is: this ends one that hangs.
  testTimeout: 300_000,
  // Node 20 frees the modules of a file one level of imports at each full collection, 12 MB a file.
  workerIdleMemoryLimit: '300MB',
  // No test leaves a handle, but to give back such a heap takes more than half a second beside others.
  workerGracefulExitTimeout: 10_000,
  projects: Object.entries(STAGES).map(([displayName, mark]) => ({
    ...shared,
    displayName,
    testRegex: [String.raw`/test/(.*/)?[\w-]+${mark}\.test\.ts$`],
    // The gate tries src/; some of the others try what is built from it.
    ...(displayName !== 'gate' && { globalSetup: '<rootDir>/test/support/build.mjs' }),
  })),
};
