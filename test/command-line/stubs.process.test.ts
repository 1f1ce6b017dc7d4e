import { writeFileSync } from 'node:fs';
import { useCommands } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';
import { run } from '../support/programs.js';

const start = useCommands();
const LOGIN = 'stubs: [{ method: POST, path: /login, body: { token: "{{token body.user}}" } }]';

async function curl(...args: string[]) {
  const { stdout } = await run('curl', ['-s', ...args]);
  return JSON.parse(stdout);
}

describe('the command with stubs in its fixture', () => {
  test('gives every user that logs in an account', async () => {
    const { url } = await start(['--dataset', writeFixture(`extends: default\n${LOGIN}`)]);
    const deletions = [];
    for (const user of ['robin@acme.example', 'jules@acme.example', 'robin@acme.example']) {
      const { token } = await curl(`${url}/login`, '-d', `user=${user}`);
      const { contract } = await curl(
        ...['-X', 'DELETE', '-H', `Authorization: Bearer ${token}`],
        `${url}/contracts/65b000000000000000000001`,
      );
      deletions.push(contract === undefined ? 'not found' : 'deleted');
    }
    expect(deletions).toEqual(['deleted', 'deleted', 'not found']);
  });

  test('answers below --base-path only', async () => {
    const fixture = writeFixture(`extends: default\n${LOGIN}`);
    const { url } = await start(['--base-path', '/v1', '--dataset', fixture]);
    expect(url).toMatch(/\/v1$/);
    expect(await curl(`${url}/login`, '-d', 'user=robin')).toEqual({
      token: expect.stringMatching(/^eyJ/),
    });
    const { detail } = await curl(url.replace('/v1', '/login'), '-d', 'user=robin');
    expect(detail).toContain("Add /v1 to the client's base URL");
  });

  test('names the fixture and the line of a mistake', async () => {
    const file = writeFixture('stubs:\n  - { method: DELETE, path: "/contracts/{id}" }');
    await expect(start(['--dataset', file])).rejects.toThrow(
      `${file}:2:23 'stubs/0/path' is "/contracts/{id}"; expected calls that no operation answers; deleteContract answers DELETE /contracts/{contractId}`,
    );
  });

  test('reads them again with --watch, and resets no account for that', async () => {
    const records = 'contracts: [{ id: k }]\n';
    const file = writeFixture(records + LOGIN);
    const { command, url } = await start(['--watch', '--dataset', file]);
    const call = (path: string, method: string, body?: string) =>
      fetch(`${url}${path}`, {
        method,
        headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json' },
        ...(body && { body }),
      });
    await call('/contracts/k', 'DELETE');
    await call('/__control/stubs', 'POST', '{"for":"server","method":"GET","path":"/added"}');
    writeFileSync(file, `${records}stubs: [{ method: GET, path: /me }]`);
    await command.logged('was reloaded, which reset 0 accounts.');
    const statuses = await Promise.all([
      call('/me', 'GET'),
      call('/added', 'GET'),
      call('/login', 'POST'),
      call('/contracts/k', 'DELETE'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    writeFileSync(file, `${records}stubs: [{ method: GTE, path: /me }]`);
    await command.logged('the earlier records stay.');
    expect((await call('/me', 'GET')).status).toBe(200);
  });
});
