import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { blocksOf, codeIn, tableOf } from '../support/pages.js';

const PAGE = 'docs/architecture.md';

/** The modules in the order of `npm run check:rooms`, from top to bottom. */
const rooms = [
  ...(
    /ROOMS = \[(.*?)\]/s.exec(readFileSync('scripts/check-rooms.mjs', 'utf8'))?.[1] ?? ''
  ).matchAll(/'([\w-]+)'/g),
].map(([, room = '']) => room);

/** The modules that each module's files import. */
const imports = new Map(
  rooms.map((room) => [
    room,
    new Set(
      readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => importsOf(join('src', room, file))),
    ),
  ]),
);

/** The modules that a file imports from. */
function importsOf(file: string): string[] {
  const paths = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g);
  return [...paths].map(
    ([, path = '']) => relative('src', join(dirname(file), path)).split(/[\\/]/)[0] ?? '',
  );
}

describe(PAGE, () => {
  test('lists the modules of src/ in the order that `npm run check:rooms` holds', () => {
    expect(tableOf(PAGE, 'module').map(([name = '']) => codeIn(name).join())).toEqual(rooms);
    const folders = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...rooms].sort());
  });

  test('draws every room, and only imports that exist', () => {
    const [diagram = ''] = blocksOf(PAGE, 'mermaid');
    const arrows = [...diagram.matchAll(/^ *([\w-]+) --> ([\w-]+)$/gm)];
    for (const [arrow, from = '', to = ''] of arrows) {
      expect([arrow, imports.get(from)?.has(to)]).toEqual([arrow, true]);
    }
    const drawn = new Set(arrows.flatMap(([, from, to]) => [from, to]));
    expect([...drawn].sort()).toEqual([...rooms].sort());
  });
});
