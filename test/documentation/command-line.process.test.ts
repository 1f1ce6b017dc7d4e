import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { COMMAND_OPTIONS, OPTIONS, variableOf } from '../../src/host/options/option-table.js';
import { useCommands } from '../support/command.js';
import { newFolder, writeFixture } from '../support/fixture.js';
import { blocksOf, codeIn, PAGES, textOf } from '../support/pages.js';
import { run } from '../support/programs.js';

const start = useCommands('--log-level', 'silent');

test('docs/command-line.md shows a file of decisions that is accepted, with where one was seen', async () => {
  const [example = ''] = blocksOf('docs/command-line.md', 'yaml');
  const { stdout } = await run(process.execPath, [
    ...['dist/cli.cjs', 'decisions', '--decisions', writeFixture(example)],
  ]);
  expect(stdout).toContain(
    'limit-out-of-bounds (section 8, seen on api.example.com at 2026-10-01T12:00:00Z)',
  );
  expect(stdout).toContain('Seen: GET /measurements?limit=0 -> 400\n');
});

test('docs/command-line.md says what the ready file holds', async () => {
  const file = join(newFolder(), 'ready.json');
  await start(['--ready-file', file, '--control-token', 'secret']);
  const [, said = ''] =
    /a JSON file with (.*?), and removes/s.exec(textOf('docs/command-line.md')) ?? [];
  expect(codeIn(said)).toEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8'))));
});

test('docs/command-line.md shows jobs whose variables the mock and its tests take', async () => {
  const [alone, gitlab] = blocksOf('docs/command-line.md', 'yml').map((block) => parse(block));
  expect(alone.tests.script).toContain('npx usage-billing-mock exec -- npm test');
  const { services, variables } = gitlab.tests;
  expect(variables.USAGE_BILLING_MOCK_URL).toBe(`http://${services[0].alias}:4010`);
  // GitLab gives the variables of the job to the mock as well.
  const { url } = await start([], variables);
  const token: string = variables.USAGE_BILLING_MOCK_CONTROL_TOKEN;
  const headers = { Authorization: 'Bearer a', 'X-Control-Token': token };
  expect((await fetch(`${url}/__control/account`, { headers })).status).toBe(200);
});

test('every page names only variables that the command reads, or gives to tests', () => {
  const read = Object.keys({ ...OPTIONS, ...COMMAND_OPTIONS }).map(variableOf);
  const given = ['URL', 'TOKEN', 'RUN'].map((name) => `USAGE_BILLING_MOCK_${name}`);
  const known = new Set([...read, ...given]);
  for (const page of PAGES) {
    const named = textOf(page).match(/USAGE_BILLING_MOCK_[A-Z][A-Z_]*/g) ?? [];
    expect([page, named.filter((name) => !known.has(name))]).toEqual([page, []]);
  }
});
