import config from '../../../jest.config.mjs';

/** Tests that read the code instead of running it, or reach the core only in other processes. */
const OTHERS = /\/test\/(architecture|budgets|documentation|examples|package|page|rigour|settle)\//;

const source = config.projects.find(({ displayName }) => displayName === 'source');
const { displayName: _, testMatch, ...project } = source;

export default {
  ...project,
  rootDir: '../../..',
  testTimeout: 60_000,
  testMatch: testMatch.filter((file) => !OTHERS.test(file)),
};
