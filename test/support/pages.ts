import { readdirSync, readFileSync } from 'node:fs';

/** The paths of all documentation pages. */
export const PAGES: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  'skills/usage-billing-mock/SKILL.md',
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** The text of a page. */
export function textOf(page: string): string {
  return readFileSync(page, 'utf8');
}

/** The code blocks of a language on a page. */
export function blocksOf(page: string, language: string): string[] {
  const found = textOf(page).matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
  return [...found].map(([, code = '']) => code);
}

/** The rows of the table whose header begins with the cell `head`, without the header. */
export function tableOf(page: string, head: string): string[][] {
  const lines = textOf(page).split('\n');
  const first = lines.findIndex((line) => cellsOf(line)[0] === head);
  const below = first === -1 ? [] : lines.slice(first + 2);
  const end = below.findIndex((line) => !line.startsWith('|'));
  return below.slice(0, end === -1 ? undefined : end).map(cellsOf);
}

/** The texts between backticks in a cell or page, outside code blocks. */
export function codeIn(text: string): string[] {
  const outside = text.replaceAll(/^```.*?^```$/gms, '');
  return [...outside.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** The anchors of the headings of a page, as GitHub names them. */
export function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
