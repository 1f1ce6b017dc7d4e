import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as spec from '#spec';
import { blocksOf, codeIn, tableOf } from '../support/pages.js';

const PAGE = 'docs/architecture.md';

/** The modules in the order of `npm run check:modules`, from top to bottom. */
const modules = [
  ...(
    /MODULES = \[(.*?)\]/s.exec(readFileSync('scripts/dependency-cruiser.cjs', 'utf8'))?.[1] ?? ''
  ).matchAll(/'([\w-]+)'/g),
].map(([, module = '']) => module);

/** The modules that each module's files import. */
const imports = new Map(
  modules.map((module) => [
    module,
    new Set(
      readdirSync(join('src', module), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => importsOf(join('src', module, file))),
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
  test('lists the modules of src/ in the order that `npm run check:modules` holds', () => {
    expect(tableOf(PAGE, 'module').map(([name = '']) => codeIn(name).join())).toEqual(modules);
    const folders = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...modules].sort());
  });

  test('draws every module, and only imports that exist', () => {
    const [diagram = ''] = blocksOf(PAGE, 'mermaid');
    const arrows = [...diagram.matchAll(/^ *([\w-]+) --> ([\w-]+)$/gm)];
    for (const [arrow, from = '', to = ''] of arrows) {
      expect([arrow, imports.get(from)?.has(to)]).toEqual([arrow, true]);
    }
    const drawn = new Set(arrows.flatMap(([, from, to]) => [from, to]));
    expect([...drawn].sort()).toEqual([...modules].sort());
  });
});

test('kits, tools and the page share at most 30 values of the mock, and one that is new replaces one', () => {
  expect(Object.keys(spec).length).toBeLessThanOrEqual(30);
});
