import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER } from '../../src/core/decisions/ledger.js';
import { anchorsOf, PAGES } from '../support/pages.js';

const specification = readFileSync('docs/specification.md', 'utf8');
const sections = new Set(
  [...specification.matchAll(/^##+ (\d+(?:\.\d+)?)/gm)].map(([, number]) => number),
);

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file));

/** The sections that a text cites: `section 4.4`, `sections 4.2 and 4.5`; those of an RFC aside. */
function citedSections(text: string): string[] {
  const citations = text.matchAll(
    /(?<!RFC \d+, )sections? (\d+(?:\.\d+)?)(?:(?:,| and|, and) (\d+(?:\.\d+)?))*/gi,
  );
  return [...citations].flatMap(([citation]) => citation.match(/\d+(?:\.\d+)?/g) ?? []);
}

describe('docs/specification.md', () => {
  test.each([...sources, 'openapi.yaml', ...PAGES])('has every section that %s cites', (file) => {
    const missing = citedSections(readFileSync(file, 'utf8')).filter(
      (section) => !sections.has(section),
    );
    expect(missing).toEqual([]);
  });

  test('is cited at all', () => {
    const cited = sources.flatMap((file) => citedSections(readFileSync(file, 'utf8')));
    expect(cited.length).toBeGreaterThan(20);
  });

  test('has the section of every decision, and links every decision', () => {
    for (const [id, { section }] of Object.entries(LEDGER)) {
      expect(sections).toContain(section);
      expect(specification).toContain(`[${id}](decisions.md#${id})`);
    }
  });

  test('links only headings that are there', () => {
    const headings = anchorsOf('docs/decisions.md');
    for (const [, anchor] of specification.matchAll(/decisions\.md#([\w-]+)/g)) {
      expect(headings).toContain(anchor);
    }
  });
});
