import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';
import { blocksOf, PAGES, textOf } from '../support/pages.js';
import { run } from '../support/programs.js';

/** The text with the instant of every deletion put to the same. */
function atOneInstant(text: string): string {
  return text.replaceAll(/("deletedAt":"|already deleted, at )[\dT:.-]+Z/g, '$1now');
}

describe('README.md', () => {
  const [serve = ''] = blocksOf('docs/command-line.md', 'sh');
  const flags = serve.trim().replace('4010', '0').split(' ').slice(2);
  const command = runCommand([...flags, '--log-level', 'warn']);

  test('has at most 150 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  test('shows a tour whose every answer is the real one', async () => {
    const url = await command.ready();
    const steps = blocksOf('README.md', 'console').join('').split(/^\$ /m).slice(1);
    expect(steps.length).toBeGreaterThanOrEqual(5);
    for (const step of steps) {
      const [line = '', ...answer] = step.trimEnd().split('\n');
      const shell = line.replaceAll('http://127.0.0.1:4010', url).replace('curl ', 'curl -s ');
      const { stdout } = await run('sh', ['-c', shell]);
      expect(atOneInstant(stdout.trimEnd())).toBe(atOneInstant(answer.join('\n')));
    }
  });

  test('has the three curl lines of the banner in its tour', async () => {
    const url = await command.ready();
    const lines = command.stderr().match(/^curl .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const shown = line.replaceAll(url, 'http://127.0.0.1:4010');
      expect(textOf('README.md')).toContain(`$ ${shown}\n`);
    }
  });
});

describe('every page', () => {
  const examples = PAGES.flatMap((page) => blocksOf(page, 'ts').map((code) => ({ page, code })));

  test.each(examples)('$page has library examples that print what they say', async ({ code }) => {
    const whole = code.includes('import ')
      ? code
      : `import { createMockServer } from 'usage-billing-mock';\n${code}`;
    const [, printed = ''] = /console\.log\(.*\); \/\/ (.*)$/m.exec(code) ?? [];
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', whole]);
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

describe('docs/testing.md', () => {
  test('shows a shell script that deletes a contract and stops the mock', async () => {
    const [script = ''] = blocksOf('docs/testing.md', 'sh');
    const here = script.replace('npx usage-billing-mock', `${process.execPath} dist/cli.cjs`);
    const { stdout } = await run('sh', ['-ec', here.replace('curl ', 'curl -s ')]);
    const [answer = ''] = /^\{.*$/m.exec(stdout) ?? [];
    expect(JSON.parse(answer).contract.deletedAt).toEqual(expect.any(String));
  });
});
