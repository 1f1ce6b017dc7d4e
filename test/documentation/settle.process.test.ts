import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { createMockServer, type MockServer } from '../../src/index.js';
import { runCommand } from '../support/command.js';
import { fixtureFolder } from '../support/fixture.js';
import { blocksOf } from '../support/pages.js';

const PAGE = 'docs/settle.md';
const [dryRun = '', firstLook = '', writes = '', recording = ''] = blocksOf(PAGE, 'sh');
const [workflow = ''] = blocksOf(PAGE, 'yml');

let server: MockServer;
let target: string;
beforeAll(async () => {
  server = await createMockServer({ dataset: 'test/support/few-measurements.yaml' });
  target = await server.start();
});
afterAll(() => server.stop());

/** The arguments of a command on the page, with this mock as the service. */
function argumentsOf(line: string): string[] {
  const words = line.replaceAll('\\\n', ' ').trim().split(/\s+/);
  const address = /^"?(https:\/\/billing\.example\.com\/v1|\$BILLING_URL)"?$/;
  return words
    .slice(words.indexOf('settle'))
    .map((word) => (address.test(word) ? target : word))
    .map((word) => (/\.(yaml|xml|json|har)$/.test(word) ? resolve(fixtureFolder, word) : word));
}

async function run(line: string, ...more: string[]) {
  const running = runCommand([...argumentsOf(line), ...more], { USAGE_BILLING_TOKEN: 'my-token' });
  const exitCode = await running.ended();
  return { exitCode, stdout: running.stdout(), stderr: running.stderr() };
}

describe(PAGE, () => {
  test('shows a plan that sends nothing', async () => {
    const { exitCode, stdout } = await run(dryRun);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('The plan for')]);
    expect(server.account('my-token').journal.list()).toEqual([]);
  });

  test('shows a first look that writes a file, and the check of it in a workflow', async () => {
    const [ask = ''] = firstLook.trim().split('\n');
    const { exitCode, stdout } = await run(ask, '--rate', '1000');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Settled, no difference')]);
    const text = readFileSync(resolve(fixtureFolder, 'decisions.yaml'), 'utf8');
    expect(Object.keys(parse(text))).toContain('final-cursor');
    const [{ run: line }]: [{ run: string }] = parse(workflow);
    expect((await run(line, '--rate', '1000')).exitCode).toBe(0);
    expect(readdirSync(fixtureFolder)).toContain('settle.xml');
  });

  test('shows what is allowed to be deleted', async () => {
    const { exitCode, stderr } = await run(writes, '--rate', '1000');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('The plan for')]);
  });

  test('shows how a recording is read', async () => {
    copyFileSync('test/settle/recordings/chromium.har', resolve(fixtureFolder, 'session.har'));
    const { exitCode, stdout } = await run(recording);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Settled, no difference')]);
  });
});
