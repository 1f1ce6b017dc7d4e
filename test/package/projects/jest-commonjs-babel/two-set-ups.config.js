// Two projects, each with a mock of its own set-up.
const projectOf = (dataset) => ({
  displayName: dataset,
  testMatch: [`<rootDir>/two-set-ups/${dataset}.test.js`],
  globalSetup: `./two-set-ups/${dataset}.js`,
});

module.exports = { projects: ['edge-cases', 'empty'].map(projectOf) };
