import { availableParallelism } from 'node:os';

export default {
  testTimeout: 60_000,
  // Most tests wait for servers that they start: a core would be lost while they do.
  maxWorkers: availableParallelism() + 1,
  // The slow ones run by `npm run test:slow`, so that the gate has one case of each kind.
  testMatch: ['<rootDir>/test/**/*.test.ts', '!**/*.slow.test.ts'],
  // These are projects of their own, to be run where the package is installed.
  testPathIgnorePatterns: ['<rootDir>/test/package/projects'],
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript names the compiled file in an import; jest wants the source.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$|/@faker-js/faker/dist/': '<rootDir>/test/support/transform.mjs' },
  transformIgnorePatterns: ['/node_modules/(?!@faker-js/faker/)'],
  // The same for CommonJS: its modules name such a global in no time.
  sandboxInjectedGlobals: ['Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Set', 'String'],
};
