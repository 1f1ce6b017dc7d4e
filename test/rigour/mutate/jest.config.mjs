import config from '../../../jest.config.mjs';

/** Tests that read the code instead of running it, or reach the core only in other processes. */
const OTHERS = '/test/(architecture|budgets|documentation|examples|package|page|rigour|settle)/';

const [gate, ci] = config.projects;
const { displayName: _, testRegex, testPathIgnorePatterns, ...project } = gate;

export default {
  ...project,
  rootDir: '../../..',
  testTimeout: config.testTimeout,
  testRegex: [...testRegex, ...ci.testRegex],
  testPathIgnorePatterns: [...testPathIgnorePatterns, OTHERS],
};
