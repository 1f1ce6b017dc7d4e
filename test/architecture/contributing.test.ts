import { existsSync, readdirSync, readFileSync } from 'node:fs';
import config from '../../jest.config.mjs';
import { codeIn, tableOf } from '../support/pages.js';

/** What a newcomer looks for, the file that has it, and a text in that file. */
const rows = tableOf('CONTRIBUTING.md', 'behaviour').map(
  ([behaviour = '', file = '', symbol = '']) => ({
    behaviour,
    file: codeIn(file).join(),
    symbol: codeIn(symbol).join(),
  }),
);

describe('"Where is…?" of CONTRIBUTING.md', () => {
  test('lists the behaviours that are hard to find, each once', () => {
    expect(rows.length).toBeGreaterThanOrEqual(10);
    expect(new Set(rows.map(({ behaviour }) => behaviour)).size).toBe(rows.length);
  });

  test.each(rows)('finds $behaviour', ({ file, symbol }) => {
    expect([file, existsSync(file)]).toEqual([file, true]);
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`\\b${symbol}\\b`));
  });
});

test('every file of tests belongs to one of the four stages, and is run', () => {
  const stages = config.projects.map(({ testRegex }) => new RegExp(testRegex.join('|')));
  const unstaged = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `/test/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.(?:test|spec)\.ts$/.test(file) && !file.includes('/package/projects/'))
    .filter((file) => stages.filter((stage) => stage.test(file)).length !== 1);
  expect(unstaged).toEqual([]);
});
