import { STUB_SCHEMA } from '../../src/generated/stub-schema.js';
import { createMockServer, type StubRequest } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { asShown, shownCommands } from '../support/console-blocks.js';
import { writeFixture } from '../support/fixture.js';
import { blocksOf, codeIn, tableOf } from '../support/pages.js';
import { run } from '../support/programs.js';

const PAGE = 'docs/stubs.md';

describe(PAGE, () => {
  const [fixture = '', session = ''] = blocksOf(PAGE, 'yaml');
  const command = runCommand(['--port', '0', '--dataset', writeFixture(fixture)]);

  test('shows a login whose response is the real one', async () => {
    const url = await command.ready();
    const [{ command: call, output } = { command: '', output: '' }] = shownCommands(PAGE);
    const shell = call.replace('curl', 'curl -q -s').replace('http://127.0.0.1:4010', url);
    expect((await run('sh', ['-c', shell])).stdout).toMatch(asShown(output));
  });

  test('shows a session that expires and is renewed', async () => {
    const client = clientOf(await createMockServer({ dataset: writeFixture(session) }));
    const statuses: number[] = [];
    for (let call = 1; call <= 4; call += 1) statuses.push((await client.get('/session')).status);
    expect(statuses).toEqual([200, 401, 200, 200]);
  });

  test('has a row for every member', () => {
    const members = tableOf(PAGE, 'member').map(([name = '']) => codeIn(name).join());
    expect(members).toEqual(Object.keys(STUB_SCHEMA.properties));
  });

  test('lists placeholders that are accepted', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    const placeholders = tableOf(PAGE, 'placeholder').flatMap(([cell = '']) => codeIn(cell));
    expect(placeholders).toHaveLength(5);
    const stub: StubRequest = { method: 'POST', path: '/a/{id}', body: placeholders };
    expect(server.stubs.add(stub).body).toEqual(placeholders);
  });

  test('is the page that a 404 names', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    expect(await (await server.fetch('/login', { method: 'POST' })).text()).toContain(PAGE);
  });
});
