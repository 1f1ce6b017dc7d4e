import { readdirSync } from 'node:fs';
import config from '../../jest.config.mjs';

test('every file of tests belongs to one of the four stages, and is run', () => {
  const stages = config.projects.map(({ testRegex }) => new RegExp(testRegex.join('|')));
  const unstaged = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `/test/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.(?:test|spec)\.ts$/.test(file) && !file.includes('/package/projects/'))
    .filter((file) => stages.filter((stage) => stage.test(file)).length !== 1);
  expect(unstaged).toEqual([]);
});
