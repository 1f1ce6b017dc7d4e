import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockServer, type MockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { newFolder } from '../support/fixture.js';

/** The names of the open accounts, newest first. */
async function namesOf(server: MockServer): Promise<string[]> {
  const { body } = await controlOf(server, 'observer').get('/accounts');
  return body.accounts.map(({ name }: { name: string }) => name);
}

async function named(name: unknown) {
  const server = await createMockServer({ dataset: 'empty' });
  const control = controlOf(server, 'a-token');
  return { server, control, response: await control.put('/account', { name }) };
}

describe('the name that a test gives its account', () => {
  test('replaces what is shown of the token, before the number', async () => {
    const { server, control, response } = await named('TestRefund/twice');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ name: 'TestRefund/twice#1', requests: 0, changes: 0 });
    expect((await control.get('/account')).body.name).toBe('TestRefund/twice#1');
    server.account('another').setName('the second');
    expect(await namesOf(server)).toEqual(['the second#2', 'TestRefund/twice#1']);
    const { body } = await control.get('/accounts?text=refund');
    expect(body.accounts).toHaveLength(1);
  });

  test('stands in the lines of the journal file from then on', async () => {
    const journalFile = join(newFolder(), 'journal.ndjson');
    const server = await createMockServer({ dataset: 'empty', journalFile });
    const { service, put } = controlOf(server, 'a-token');
    await service.get('/measurements');
    await put('/account', { name: 'the test' });
    await service.get('/measurements');
    await server.stop();
    const lines = readFileSync(journalFile, 'utf8').trimEnd().split('\n');
    expect(lines.flatMap((line) => JSON.parse(line).account ?? [])).toEqual([
      'a-…en#1',
      'the test#1',
    ]);
  });

  test('outlives a reset, a restore and a scenario, and ends with the account', async () => {
    const { server, control } = await named('first');
    const account = server.account('a-token');
    const before = account.snapshot();
    account.setName('second');
    account.restore(before);
    account.reset();
    expect(await namesOf(server)).toEqual(['second#1']);
    await control.delete('/account');
    server.account('a-token');
    expect(await namesOf(server)).toEqual(['a-…en#2']);
  });

  test('is kept in the state file', async () => {
    const stateFile = join(newFolder(), 'state.json');
    const first = await createMockServer({ dataset: 'empty', stateFile });
    first.account('a-token').setName('the test');
    await first.stop();
    const second = await createMockServer({ dataset: 'empty', stateFile });
    second.account('a-token');
    expect(await namesOf(second)).toEqual(['the test#1']);
  });

  test('does not have the token of its account', async () => {
    const { server } = await named('test a-token');
    expect(await namesOf(server)).toEqual(['test [redacted]#1']);
  });

  test.each([
    ['', 'at least 1 character'],
    ['x'.repeat(201), 'at most 200 characters'],
    [5, 'string'],
    [null, 'string'],
    ['two\nlines', 'without control characters'],
    ['\u202eright to left', 'characters that change its direction'],
  ])('is refused if it is %j', async (name, expected) => {
    const { response } = await named(name);
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([
      { in: 'body', pointer: '/name', expected: expect.stringContaining(expected) },
    ]);
  });
});
