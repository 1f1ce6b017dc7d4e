import { readFileSync } from 'node:fs';
import { pageOf } from '../rigour/report/page.js';
import { recordedResults } from '../rigour/report/record.js';

const results = recordedResults();

describe('docs/rigour.md', () => {
  it('is what the recorded results say, with nothing in it by hand', () => {
    expect(readFileSync('docs/rigour.md', 'utf8')).toBe(pageOf(results));
  });

  it('names commands that the package has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const { name, command } of results) {
      expect(scripts).toHaveProperty(name);
      expect(command).toMatch(new RegExp(`^npm run ${name}\\b`));
    }
  });

  it('says why where a figure is not within its bound', () => {
    const missed = results.filter(({ figures }) =>
      figures.some(({ isWithin }) => isWithin === false),
    );
    for (const { limits } of missed) expect(limits).not.toEqual([]);
  });
});
