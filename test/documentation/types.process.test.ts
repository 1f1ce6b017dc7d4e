import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mistakesIn } from '../support/compile-modules.js';
import { PAGES, textOf } from '../support/pages.js';

/** Declarations that examples without imports rely on. */
const LIBRARY = "import { createMockServer } from 'usage-billing-mock';\n";

/** The examples of the pages, by the path of a file for each. */
const examples = new Map(
  PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/^([^\n]*)\n\n```ts\n(.*?)^```$/gms)].map(
      ([, before = '', code = ''], nth): [string, string] => [
        // The sentence before it names a JavaScript file.
        resolve(`${page.replaceAll('/', '-')}-${nth}.m${/\.js`/.test(before) ? 'j' : 't'}s`),
        code.includes('import ') ? code : LIBRARY + code,
      ],
    ),
  ),
);

describe('every example compiles strictly', () => {
  test('of the pages', () => {
    expect(examples.size).toBeGreaterThan(5);
    const [javaScript, typeScript] = ['mjs', 'mts'].map(
      (extension) => new Map([...examples].filter(([path]) => path.endsWith(extension))),
    );
    expect(mistakesIn(typeScript ?? new Map())).toEqual([]);
    const ofJavaScript = { allowJs: true, checkJs: true, noImplicitAny: false };
    expect(mistakesIn(javaScript ?? new Map(), ofJavaScript)).toEqual([]);
  });

  test('of the files in TypeScript', () => {
    const files = readdirSync('examples', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join('examples', file));
    expect(files.length).toBeGreaterThan(4);
    const modules = new Map(files.map((file) => [resolve(file), readFileSync(file, 'utf8')]));
    expect(mistakesIn(modules, { types: ['node', 'jest'] })).toEqual([]);
  });
});
