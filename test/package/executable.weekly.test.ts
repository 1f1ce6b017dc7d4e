import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram } from '../support/certificates.js';
import { fixtureFolder, newFolder, writeFixture } from '../support/fixture.js';
import { run, startProgram } from '../support/programs.js';

const folder = join(fixtureFolder, 'without-node');
const PATH = join(folder, 'bin');
const EXECUTABLE = join(folder, 'usage-billing-mock');
const hasPython = hasProgram('python3');
const [testPython, note] = hasPython ? [test, ''] : [test.skip, ' (no python3 here)'];
const UNITTEST = ['--', 'python3', '-B', '-m', 'unittest'];

beforeAll(async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'executable']);
  expect(stdout).toMatch(/^\S+: usage-billing-mock \S+ in \d+ MB\n$/);
  mkdirSync(PATH, { recursive: true });
  symlinkSync('/bin/sh', join(PATH, 'sh'));
  if (hasPython) {
    // The one in the PATH may be a script that picks another.
    const python = await run('python3', ['-c', 'import sys; print(sys.executable)']);
    symlinkSync(python.stdout.trim(), join(PATH, 'python3'));
  }
  cpSync('executable/usage-billing-mock', EXECUTABLE);
  cpSync('examples/python', folder, { recursive: true });
  cpSync('test/settle/recordings/playwright-minimal.har', join(folder, 'recording.har'));
});

/** Runs the executable where nothing else of the project is, nor Node. */
function runExecutable(...args: string[]) {
  return startProgram(EXECUTABLE, args, { cwd: folder, env: { PATH, HOME: newFolder() } });
}

async function outcomeOf(...args: string[]) {
  const program = runExecutable(...args);
  return { status: await program.ended(), stdout: program.stdout(), stderr: program.stderr() };
}

async function served(...args: string[]) {
  const mock = runExecutable('--port', '0', ...args);
  await mock.printed('\n');
  return { mock, url: mock.stdout().trim().split(' ').at(-1) ?? '' };
}

describe('the executable', () => {
  test('runs where there is no Node', async () => {
    const { status } = await outcomeOf('exec', '--', 'node');
    expect(status).toBe(127);
  });

  test('lists the Node that it contains for scanners', async () => {
    const { components } = JSON.parse(readFileSync('executable/sbom.cdx.json', 'utf8'));
    const node = components.find(({ name }: { name: string }) => name === 'node');
    expect(node.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readFileSync(EXECUTABLE).includes(`v${node.version}`)).toBe(true);
  });

  testPython(`runs tests in Python with the copied helper under exec${note}`, async () => {
    const { status, stderr } = await outcomeOf('exec', ...UNITTEST);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^OK$/m)]);
  });

  testPython(`runs them under each alternative with matrix${note}`, async () => {
    const only = ['--only', 'repeat-delete'];
    const { status, stdout } = await outcomeOf('matrix', ...only, ...UNITTEST);
    expect(status).toBe(1);
    expect(stdout).toContain('under 3 alternatives');
    expect(stdout).toContain('The command depends on 1 decision:\n  repeat-delete\n');
  });

  test('serves its page, a fixture over a dataset of its own, and ends at SIGTERM', async () => {
    const fixture = writeFixture('extends: default\ncustomers: [{ id: c1, name: Initech }]\n');
    const { mock, url } = await served('--dataset', fixture, '--watch');
    const page = await fetch(`${url}/__control/ui`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('ui/page.js')]);
    const script = await fetch(`${url}/__control/ui/page.js`);
    expect(script.status).toBe(200);
    const customer = await fetch(`${url}/customers/c1`, { headers: { Authorization: 'Bearer t' } });
    expect(await customer.json()).toMatchObject({ customer: { name: 'Initech' } });
    writeFileSync(fixture, 'extends: default\ncustomers: [{ id: c1, name: Umbrella }]\n');
    await mock.logged('reloaded');
    expect(mock.stderr().split('reloaded')).toHaveLength(2);
    mock.kill('SIGTERM');
    expect(await mock.ended()).toBe(0);
  });

  test.each([
    [['--version'], 0, /^\d+\.\d+\.\d+/],
    [['decisions'], 0, /^repeat-delete /m],
    [['coverage', 'none.json'], 2, /none\.json/],
    [['settle', '--har', 'recording.har'], 0, /Undecided/i],
    [['fixture', '--har', 'recording.har'], 0, /contracts:/],
    [['--prot', '4010'], 2, /Did you mean --port\?/],
  ])('called with %j exits with %i', async (args, code, text) => {
    const { status, stdout, stderr } = await outcomeOf(...args);
    expect([status, stdout + stderr]).toEqual([code, expect.stringMatching(text)]);
  });
});
