import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { mistakesIn } from '../support/compile-modules.js';
import { asShown, type ShownCommand, shownCommands } from '../support/console-blocks.js';
import { newFolder, writeFixture } from '../support/fixture.js';
import { blocksOf, codeIn, PAGES, textOf } from '../support/pages.js';
import { run, startProgram } from '../support/programs.js';
import { runTestsInExec, writeProject } from '../support/runner.js';

/** Copies an example as a project that has installed the package. */
function projectOf(example: string): string {
  const folder = newFolder();
  cpSync(example, folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/usage-billing-mock'));
  symlinkSync(resolve('node_modules/vitest'), join(folder, 'node_modules/vitest'));
  return folder;
}

describe('README.md', () => {
  const [serve = ''] = blocksOf('docs/command-line.md', 'sh');
  const flags = serve.trim().replace('4010', '0').split(' ').slice(2);
  const command = runCommand([...flags, '--log-level', 'warn']);
  const steps = shownCommands('README.md');
  const calls = steps.filter((step) => step.command.startsWith('curl '));
  const [failing, matrix, ...others] = steps.filter((step) => !calls.includes(step));

  /** Runs a command of the page in the project of its example. */
  async function runThere(shown: ShownCommand | undefined, prepare: (client: string) => string) {
    const folder = projectOf('examples/lost-response');
    const client = join(folder, 'close-contract.ts');
    writeFileSync(client, prepare(readFileSync(client, 'utf8')));
    const vitest = `${process.execPath} node_modules/vitest/vitest.mjs`;
    const line = shown?.command
      .replace('npx usage-billing-mock', `${process.execPath} ${resolve('dist/cli.cjs')}`)
      .replace('npx vitest', vitest);
    const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' };
    const program = startProgram('sh', ['-c', line ?? ''], { cwd: folder, env });
    await program.ended();
    return program.output().trimEnd();
  }

  test('shows what a test prints whose client takes only a success for a response', async () => {
    const output = await runThere(failing, (code) => code.replace(' && !isGone', ''));
    expect(output).toMatch(asShown(failing?.output ?? ''));
  });

  test('shows what the matrix says of that test, with the client as it is', async () => {
    const output = await runThere(matrix, (code) => code);
    expect(output).toMatch(asShown(matrix?.output ?? ''));
    expect(others).toEqual([]);
  });

  test('shows a tour whose every response is the real one', async () => {
    const url = await command.ready();
    expect(calls.length).toBeGreaterThanOrEqual(4);
    for (const shown of calls) {
      const shell = shown.command
        .replaceAll('http://127.0.0.1:4010', url)
        .replace('curl', 'curl -q -s');
      const { stdout } = await run('sh', ['-c', shell]);
      expect(stdout.trimEnd()).toMatch(asShown(shown.output));
    }
  });

  test('has the three curl lines of the banner in its tour', async () => {
    const url = await command.ready();
    const lines = command.stderr().match(/^curl .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    expect(calls.map((shown) => shown.command)).toEqual(
      expect.arrayContaining(lines.map((line) => line.replaceAll(url, 'http://127.0.0.1:4010'))),
    );
  });
});

describe('every page', () => {
  const examples = PAGES.flatMap((page) => blocksOf(page, 'ts').map((code) => ({ page, code })));

  test.each(examples)('$page has library examples that print what they say', async ({ code }) => {
    const whole = code.includes('import ')
      ? code
      : `import { createMockServer } from 'usage-billing-mock';\n${code}`;
    const [, printed = ''] = /console\.log\(.*\); \/\/ (.*)$/m.exec(code) ?? [];
    const plain = ts.transpile(whole, {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
    });
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', plain]);
    expect(stdout.trim()).toBe(printed);
  });

  test('takes its longer examples from files that tests run', () => {
    const taken = PAGES.flatMap((page) => [
      ...textOf(page).matchAll(/^<!-- (\S+) -->\n\n```\w+\n(.*?)^```$/gms),
    ]);
    expect(taken.length).toBeGreaterThanOrEqual(5);
    for (const [, file = '', code = ''] of taken) {
      // An excerpt may be indented in the file.
      const lines = readFileSync(file, 'utf8').replaceAll(/^ +/gm, '');
      expect(lines).toContain(code.trimEnd().replaceAll(/^ +/gm, ''));
    }
  });

  test('stands beside documents of the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const file of ['openapi.yaml', 'control.openapi.yaml']) {
      expect([file, parse(readFileSync(file, 'utf8')).info.version]).toEqual([file, version]);
    }
  });
});

describe('docs/testing.md', () => {
  test('shares one mock between the tests of a run, in vitest and in jest', async () => {
    const examples = blocksOf('docs/testing.md', 'typescript');
    const [example = ''] = examples.filter((code) => code.includes('connectMockServer'));
    const vitest = ['vitest', example, []] as const;
    const inJest = example
      .replace('usage-billing-mock/vitest', 'usage-billing-mock/jest')
      .replace(/^import .* from 'vitest';$/m, '');
    const jest = ['jest of ES modules', inJest, ['jest']] as const;
    for (const [runner, code, types] of [vitest, jest]) {
      const path = resolve('shared.mts');
      expect(mistakesIn(new Map([[path, code]]), { types: ['node', ...types] })).toEqual([]);
      const manifest = { type: 'module', jest: { transform: {} } };
      const folder = writeProject({ 'package.json': manifest, 'shared.test.js': code });
      const { code: status, output } = await runTestsInExec(runner, folder);
      expect([status, output]).toEqual([0, output]);
    }
  });
});

describe('docs/fixtures.md', () => {
  test('shows a fixture of ten lines that has what it says', async () => {
    const [example = ''] = blocksOf('docs/fixtures.md', 'yaml');
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(10);
    const server = await createMockServer({ dataset: writeFixture(example) });
    const client = clientOf(server);
    expect((await client.get('/customers/name/Initech')).body.customer.id).toBe('c1');
    expect((await client.get('/customers/name/Acme%20Corporation')).status).toBe(200);
    expect((await client.delete('/contracts/k1')).body.contract.customerId).toBe('c1');
    expect((await client.deleteEvents(['tps-report'])).body.events).toHaveLength(1);
    const other = clientOf(server, 'token-other-world');
    const { nextCursor } = (await client.get('/measurements')).body;
    expect((await other.get(`/measurements?cursor=${nextCursor}`)).status).toBe(400);
  });
});

describe('docs/languages.md', () => {
  const [head = [], , ...steps] = textOf('docs/languages.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const inOneLine = (code: string) => code.replaceAll(/[\s;]+/g, ' ');

  test.each(head.slice(2, 5).map((language, column) => [language, column] as const))(
    'takes its steps in %s from files that tests run',
    (language, column) => {
      const folder = join('examples', language.toLowerCase());
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(py|go|sh)$/.test(file))
        .map((file) => inOneLine(readFileSync(join(folder, file), 'utf8')));
      const codes = steps.flatMap((cells) => codeIn(cells[column + 2] ?? ''));
      expect(codes.length).toBeGreaterThanOrEqual(9);
      const isTaken = (code: string) => files.some((file) => file.includes(inOneLine(code)));
      expect(codes.filter((code) => !isTaken(code))).toEqual([]);
    },
  );
});
