import { createProgram } from '../../src/command-line/program.js';
import { PAGES, textOf } from '../support/pages.js';

/** Flags of other programs that the pages name. */
const FLAGS_OF_OTHERS: readonly string[] = [
  ...['--tag', '--file', '--rm', '--publish', '--env'], // docker
  ...['--test', '--test-reporter', '--enable-source-maps'], // node
  '--external', // esbuild
  '--cacert', // curl
  '--template', // create-vite
  '--mutate', // npm run mutate
  ...['--rounds', '--requests'], // npm run bench
  '--every', // npm run check:matrix
  ...['--minutes', '--rate'], // npm run soak
  ...['--cases', '--seconds'], // npm run fuzz
  ...['--mode', '--set'], // mitmdump
  ...['--no-git-tag-version', '--only'], // npm version, npm run check:matrix
  '--access', // npm publish
  '--from-literal', // kubectl
];

const program = createProgram();

/** The flags of every command. */
const FLAGS = [program, ...program.commands].flatMap(({ options }) => options);

/** The values that a flag of the command of a page may have; of any command on other pages. */
function choicesOf(flag: string, page: string): readonly string[] {
  const own = program.commands.find((command) => page === `docs/${command.name()}.md`);
  const named = (own?.options ?? FLAGS).filter(({ long }) => long === flag);
  return named.flatMap(({ argChoices = [] }) => argChoices);
}

/** The flags that a text names. */
function flagsIn(text: string): string[] {
  return text.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
}

describe.each(PAGES)('%s', (page) => {
  test('names only flags that exist', () => {
    const known = ['--help', '--version', ...FLAGS.map(({ long }) => long), ...FLAGS_OF_OTHERS];
    expect(flagsIn(textOf(page)).filter((flag) => !known.includes(flag))).toEqual([]);
  });

  test('gives flags only values that they take', () => {
    const given = textOf(page).matchAll(/(--[a-z-]+)[ =]([\w-]+)/g);
    const wrong = [...given].filter(([, flag = '', value = '']) => {
      const choices = choicesOf(flag, page);
      return choices.length > 0 && !choices.includes(value);
    });
    expect(wrong.map(([words]) => words)).toEqual([]);
  });
});

test.each(['coverage', 'matrix'])(
  'docs/%s.md names the formats of the command, and no other',
  (name) => {
    const page = `docs/${name}.md`;
    const text = textOf(page);
    const [, said = ''] = /`--format` is\s([^.]*)/.exec(text) ?? [];
    const named = [...text.matchAll(/--format (\w+)/g), ...said.matchAll(/`(\w+)`/g)];
    const formats = new Set(['text', ...named.map(([, format = '']) => format)]);
    expect([...formats].sort()).toEqual([...choicesOf('--format', page)].sort());
  },
);
