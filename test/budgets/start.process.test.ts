import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parsedByBuild } from '../../src/host/server/documents/package-files.js';
import { writeFixture } from '../support/fixture.js';

/** What a start and one call of each operation may take; a change that needs more says so here. */
const BUDGETS = {
  modules: 4,
  bytes: 1_412_000,
  // The build has compiled them.
  schemas: 0,
};

/** The files that the command may read: only its code. */
const COMMAND_BYTES = 1_516_000;

describe('a start', () => {
  test('loads no more modules and compiles no more schemas than it may', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['test/budgets/start.cjs']);
    expect(stderr.toString()).toBe('');
    const counts: typeof BUDGETS = JSON.parse(stdout.toString());
    process.stdout.write(`A start takes ${JSON.stringify(counts)}.\n`);
    for (const [name, most] of Object.entries(BUDGETS)) {
      const count = counts[name as keyof typeof BUDGETS];
      expect([name, count, count <= most]).toEqual([name, count, true]);
    }
  });

  test('of the command loads neither the fetch of Node nor its https', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['test/budgets/command-start.cjs']);
    expect([stderr.toString(), stdout.toString()]).toEqual(['', '[]']);
  });

  test('of the command reads a few files of the package, and of no other', () => {
    const code = readdirSync('dist').filter((file) =>
      /^(cli|command-line|mock-server|rolldown-runtime|output-file)\b.*\.cjs$/.test(file),
    );
    expect(code).toHaveLength(5);
    const bytes = code.reduce((sum, file) => sum + statSync(join('dist', file)).size, 0);
    expect([bytes, bytes <= COMMAND_BYTES]).toEqual([bytes, true]);
    const imported = code.flatMap((file) => [
      ...readFileSync(join('dist', file), 'utf8').matchAll(/(?<!`)\brequire\("([^."][^"]*)"\)/g),
    ]);
    const packages = imported.filter(([, name = '']) => !isOfNode(name));
    expect(packages.map(([, name]) => name)).toEqual([]);
  });
});

describe('the kit of jest', () => {
  const MODULES_OF_KIT = 2;
  const BYTES_OF_KIT = 51_500;

  test('loads next to nothing when it is imported, and the library when it starts a mock', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['test/budgets/kit.cjs']);
    expect(stderr.toString()).toBe('');
    const { status, pass, imported, ended } = JSON.parse(stdout.toString());
    expect([status, pass]).toEqual([200, true]);
    process.stdout.write(`The kit takes ${JSON.stringify({ imported, ended })}.\n`);
    expect(imported.modules).toBeLessThanOrEqual(MODULES_OF_KIT);
    expect([imported.bytes, imported.bytes <= BYTES_OF_KIT]).toEqual([imported.bytes, true]);
    expect(ended.modules).toBeLessThanOrEqual(MODULES_OF_KIT + BUDGETS.modules);
    expect(ended.bytes).toBeLessThanOrEqual(BYTES_OF_KIT + BUDGETS.bytes);
  });
});

test('the kit of Playwright loads next to nothing when it is imported', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['test/budgets/playwright-kit.cjs']);
  expect(stderr.toString()).toBe('');
  const { modules, bytes } = JSON.parse(stdout.toString());
  expect(modules).toBeLessThanOrEqual(2);
  expect([bytes, bytes <= 82_000]).toEqual([bytes, true]);
});

function isOfNode(name: string): boolean {
  return name.startsWith('node:') || process.getBuiltinModule(name) !== undefined;
}

describe('what the build has parsed', () => {
  const fixtures = readdirSync('fixtures').filter((file) => file.endsWith('.yaml'));
  const files = [
    'openapi.yaml',
    'control.openapi.yaml',
    ...fixtures.map((file) => `fixtures/${file}`),
  ];

  test.each(files)('of %s is what the file says', (file) => {
    expect(parsedByBuild(join(process.cwd(), file))?.value).toEqual(
      parse(readFileSync(file, 'utf8')),
    );
  });

  test('is for the files of the package alone', () => {
    expect(parsedByBuild(writeFixture('customers: []\n', 'default.yaml'))).toBeUndefined();
    expect(parsedByBuild('/nowhere/fixtures/default.yaml')).toBeUndefined();
  });
});
