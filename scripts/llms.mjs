// Writes llms.txt (llmstxt.org), for assistants: what each page of the package is about.
import { readFileSync, writeFileSync } from 'node:fs';

/** In the order in which readers need them. */
const PAGES = [
  ...['skills/usage-billing-mock/SKILL.md', 'README.md'],
  ...[
    ...['testing', 'languages', 'recipes', 'playwright', 'vite', 'browser'],
    ...['command-line', 'fixtures', 'stubs', 'faults', 'control-plane', 'errors', 'matrix'],
    ...['coverage', 'settle', 'specification', 'decisions', 'page', 'architecture'],
  ].map((name) => `docs/${name}.md`),
];

/** A link to a page, with its headings. */
function linkTo(/** @type {string} */ page) {
  const outside = readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const [title, ...headings] = [...outside.matchAll(/^##? (.*)$/gm)].map(([, heading]) => heading);
  return `- [${title}](${page})${headings.length > 0 ? `: ${headings.join('; ')}` : ''}`;
}

const { description } = JSON.parse(readFileSync('package.json', 'utf8'));
const links = PAGES.map(linkTo).join('\n');
writeFileSync('llms.txt', `# usage-billing-mock\n\n> ${description}\n\n## Pages\n\n${links}\n`);
