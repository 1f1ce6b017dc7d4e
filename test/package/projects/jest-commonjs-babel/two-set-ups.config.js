// Two projects, each with its own set-up and mock.
const projectOf = (dataset) => ({
  displayName: dataset,
  testMatch: [`<rootDir>/two-set-ups/${dataset}.test.js`],
  globalSetup: `./two-set-ups/${dataset}.js`,
});

module.exports = { projects: ['edge-cases', 'empty'].map(projectOf) };
