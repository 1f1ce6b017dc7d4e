import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { createMockServer } from '../../src/index.js';
import {
  COMMAND_OPTIONS,
  flagOf,
  OPTIONS,
  type OptionRow,
  variableOf,
} from '../../src/options/option-table.js';
import { clientOf } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';

const run = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The code blocks of a language. */
function blocks(language: string): string[] {
  const found = readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
  return [...found].map(([, code = '']) => code);
}

/** The text with the instant of every deletion put to the same. */
function atOneInstant(text: string): string {
  return text.replaceAll(/("deletedAt":"|deleted before, at )[\dT:.-]+Z/g, '$1now');
}

describe('README.md', () => {
  const command = runCommand(['--port', '0', '--log-level', 'warn']);
  afterAll(async () => {
    command.kill('SIGTERM');
    await command.ended();
  });

  test('shows a tour whose every answer is the real one', async () => {
    const url = await command.ready();
    const steps = blocks('console').join('').split(/^\$ /m).slice(1);
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
      expect(readme).toContain(`$ ${line.replaceAll(url, 'http://127.0.0.1:4010')}\n`);
    }
  });

  test('shows library examples that print what they say', async () => {
    const [example = '', ...others] = blocks('ts');
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', example]);
    expect(stdout).toBe('200\n');
    for (const other of others) {
      const code = `import { createMockServer } from 'usage-billing-mock';\n${other}`;
      const [, printed = ''] = /console\.log\(.*\); \/\/ (.*)$/m.exec(other) ?? [];
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
      expect(stdout.trim()).toBe(printed);
    }
  });

  test('shows a retry against a lost answer in fifteen lines', () => {
    const example = blocks('ts').find((code) => code.includes("phase: 'after'")) ?? '';
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(15);
    expect(example).toContain('// 404 2');
  });

  test('shows a fixture of ten lines that has what it says', async () => {
    const [example = ''] = blocks('yaml');
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

  test('takes its first examples from files that tests run', () => {
    const examples = [...readme.matchAll(/^<!-- (\S+) -->\n\n```\w+\n(.*?)^```$/gms)];
    expect(examples.length).toBeGreaterThanOrEqual(4);
    for (const [, file = '', code = ''] of examples) {
      // Part of a file may stand deeper in it.
      const lines = readFileSync(file, 'utf8').replaceAll(/^ +/gm, '');
      expect(lines).toContain(code.trimEnd().replaceAll(/^ +/gm, ''));
    }
  });

  test('stands beside documents of the version of the package', () => {
    for (const file of ['openapi.yaml', 'control.openapi.yaml']) {
      expect([file, parse(readFileSync(file, 'utf8')).info.version]).toEqual([
        file,
        manifest.version,
      ]);
    }
  });

  test('names only npm scripts that there are', () => {
    const scripts = [...readme.matchAll(/npm (?:run )?(start|test|run [\w:]+)/g)];
    expect(scripts.length).toBeGreaterThan(2);
    for (const [, words = ''] of scripts) {
      expect(Object.keys(manifest.scripts)).toContain(words.replace('run ', ''));
    }
  });

  test('lists every option of the command with its variable, default and meaning', () => {
    const cells = readme.replaceAll(/ +/g, ' ');
    for (const [name, row] of Object.entries<OptionRow>({ ...OPTIONS, ...COMMAND_OPTIONS })) {
      const value = row.commandDefault ?? row.default;
      const shown = value === undefined || String(value) === '' ? '' : `\`${value}\` `;
      const meaning = row.words.replaceAll('|', '\\|');
      expect(cells).toContain(
        `| \`${flagOf(name, row)}\` | \`${variableOf(name)}\` | ${shown}| ${meaning} |`,
      );
    }
  });

  test('links only files that there are', () => {
    for (const [, file = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(readFileSync(file, 'utf8')).not.toBe('');
    }
  });
});
