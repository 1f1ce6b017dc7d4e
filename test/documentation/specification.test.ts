import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER } from '../../src/core/decisions/ledger.js';
import { PAGES } from '../support/pages.js';

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
  test('has every section that a source, the document or a page cites', () => {
    const citing = [...sources, 'openapi.yaml', ...PAGES].flatMap((file) =>
      citedSections(readFileSync(file, 'utf8')).map((section) => [file, section] as const),
    );
    expect(citing.length).toBeGreaterThan(20);
    expect(citing.filter(([, section]) => !sections.has(section))).toEqual([]);
  });

  test('has the section of every decision, and links every decision', () => {
    for (const [id, { section }] of Object.entries(LEDGER)) {
      expect(sections).toContain(section);
      expect(specification).toContain(`[${id}](decisions.md#${id})`);
    }
  });
});
