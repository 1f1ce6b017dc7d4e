import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useCommands } from '../support/command.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';

const start = useCommands('--watch');

/** Starts the command with --watch over a fixture, and calls it as account `t`. */
async function watching(dataset: string) {
  const { command, url } = await start(['--dataset', dataset]);
  const call = (path: string, method = 'GET', body?: string, token = 't') =>
    fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body }),
    });
  return { command, call };
}

const base = 'contracts: [{ id: k }]\naccounts: { e: { dataset: empty } }\n';

describe('the command with --watch', () => {
  test('warns that it has no file to read again, with datasets of the package alone', async () => {
    const { command } = await watching('default');
    expect(command.stderr()).toContain('has no file to reload');
    const own = await watching(writeFixture('extends: default'));
    expect(own.command.stderr()).not.toContain('to read again');
  });

  test('reads a changed fixture again, resets the accounts over it, and logs so', async () => {
    const file = writeFixture(`${base}customers: [{ id: a, name: Old }]`);
    const { command, call } = await watching(file);
    await call('/contracts/k', 'DELETE');
    await call('/measurements', 'GET', undefined, 'e');
    expect((await call('/contracts/k', 'DELETE')).status).toBe(404);

    writeFileSync(file, `${base}customers: [{ id: a, name: New }]`);
    await command.logged('was reloaded, which reset 1 account.');
    expect(await (await call('/customers/a')).json()).toMatchObject({ customer: { name: 'New' } });
    expect((await call('/contracts/k', 'DELETE')).status).toBe(200);
  });

  test('keeps serving the old records when the fixture is broken, and says why', async () => {
    const file = writeFixture(`${base}customers: [{ id: a, name: Old }]`);
    const { command, call } = await watching(file);
    await call('/contracts/k', 'DELETE');

    writeFileSync(file, `${base}customers: [{ id: a, nmae: New }]`);
    await command.logged('the earlier records stay.');
    expect(command.stderr()).toContain(`${file}:3:22 Unknown member 'nmae' in 'customers/0'`);
    expect((await call('/customers/name/Old')).status).toBe(200);
    expect((await call('/contracts/k', 'DELETE')).status).toBe(404);

    writeFileSync(file, `${base}customers: [{ id: a, name: Mended }]`);
    await command.logged('was reloaded');
    expect((await call('/customers/name/Mended')).status).toBe(200);
  });

  test('sees a file that an editor puts in the place of another, and one that is extended', async () => {
    const lower = writeFixture('customers: [{ id: a, name: Old }]', 'watched-base.yaml');
    const { command, call } = await watching(writeFixture('extends: ./watched-base.yaml'));
    renameSync(writeFixture('customers: [{ id: a, name: Moved }]'), lower);
    await command.logged('was reloaded');
    expect((await call('/customers/name/Moved')).status).toBe(200);
  });

  test('goes on when the file that was missing or broken is there, whichever it was', async () => {
    const file = writeFixture(base);
    const { command, call } = await watching(file);
    writeFileSync(file, `extends: ./later.yaml\n${base}`);
    await command.logged('; expected default, demo');
    writeFixture('customers: [a', 'later.yaml');
    await command.logged('is not YAML');
    writeFixture('customers: [{ id: a, name: Late }]', 'later.yaml');
    await command.logged('was reloaded');
    expect((await call('/customers/name/Late')).status).toBe(200);
  });

  test('follows a fixture that only an account is bound to, and what is declared of tokens', async () => {
    const bound = writeFixture('customers: [{ id: a, name: Old }]', 'watched-bound.yaml');
    const file = writeFixture('accounts: { t: { dataset: ./watched-bound.yaml } }');
    const { command, call } = await watching(file);
    expect((await call('/customers/name/Old')).status).toBe(200);
    writeFileSync(bound, 'customers: [{ id: a, name: New }]');
    await command.logged(`${bound} has changed and was reloaded`);
    expect((await call('/customers/name/New')).status).toBe(200);
    writeFileSync(file, 'accounts: { t: { refused: true } }');
    await command.logged(`${file} has changed and was reloaded`);
    expect((await call('/customers/name/New')).status).toBe(401);
  });

  test('says once that a file is gone, and goes on when it is back', async () => {
    const file = writeFixture(base, 'watched-gone.yaml');
    const { command } = await watching(file);
    const clock = writeFixture(base, 'watched-clock.yaml');
    const other = await watching(clock);
    rmSync(file);
    await command.logged('the earlier records stay.');
    // By then, both have looked again.
    writeFileSync(clock, 'customers: [');
    await other.command.logged('is not YAML');
    writeFileSync(clock, base);
    await other.command.logged('was reloaded');
    expect(command.stderr().match(/the earlier records stay/g)).toHaveLength(1);
    writeFileSync(file, base);
    await command.logged('was reloaded');
  });

  test('goes on over a file that cannot be looked at, a link to itself or below a file', async () => {
    const folder = join(fixtureFolder, 'watched-folder');
    mkdirSync(folder);
    const text = (name: string) => `customers: [{ name: ${name} }]`;
    const file = writeFixture(text('One'), 'watched-folder/looked-at.yaml');
    const { command, call } = await watching(file);

    rmSync(file);
    symlinkSync(file, file);
    await command.logged('the earlier records stay.');
    expect((await call('/customers/name/One')).status).toBe(200);

    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file, where the folder was');
    await command.logged(`'${file}'; expected`);
    rmSync(folder);
    mkdirSync(folder);
    writeFixture(text('Two'), 'watched-folder/looked-at.yaml');
    await command.logged('was reloaded');
    expect((await call('/customers/name/Two')).status).toBe(200);
  });

  test('reloads stubs, and resets no account for that', async () => {
    const records = 'contracts: [{ id: k }]\n';
    const file = writeFixture(`${records}stubs: [{ method: GET, path: /old }]`);
    const { command, call } = await watching(file);
    await call('/contracts/k', 'DELETE');
    await call('/__control/stubs', 'POST', '{"for":"server","method":"GET","path":"/added"}');
    writeFileSync(file, `${records}stubs: [{ method: GET, path: /me }]`);
    await command.logged('was reloaded, which reset 0 accounts.');
    const statuses = [call('/me'), call('/added'), call('/old'), call('/contracts/k', 'DELETE')];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    writeFileSync(file, `${records}stubs: [{ method: GTE, path: /me }]`);
    await command.logged('the earlier records stay.');
    expect((await call('/me')).status).toBe(200);
  });

  test('tells which changed decisions hold from now on', async () => {
    const file = writeFixture(`${base}decisions: { repeat-delete: conflict }`);
    const { command, call } = await watching(file);
    await call('/contracts/k', 'DELETE');
    expect((await call('/contracts/k', 'DELETE')).status).toBe(409);
    writeFileSync(file, `${base}decisions: { repeat-delete: gone, unauthorized-status: 403 }`);
    await command.logged('was reloaded, which reset 1 account.');
    expect(command.stderr()).toContain('repeat-delete=gone, unauthorized-status=403');
    await call('/contracts/k', 'DELETE');
    expect((await call('/contracts/k', 'DELETE')).status).toBe(410);
    expect((await call('/measurements', 'GET', undefined, ' ')).status).toBe(403);
  });

  test('says where a decision was seen, though its value stays', async () => {
    const file = writeFixture(`${base}decisions: { repeat-delete: gone, total-counts: page }`);
    const { command } = await watching(file);
    const seen = '{ host: a.har, at: 2026-10-01T12:00:00Z, evidence: [GET / -> 404] }';
    writeFileSync(file, `${base}decisions: { repeat-delete: { value: gone, seen: ${seen} } }`);
    await command.logged('was reloaded');
    expect(command.stderr()).toContain(
      'The decisions have changed: repeat-delete=gone (seen on a.har at 2026-10-01T12:00:00Z), total-counts=all.',
    );
  });
});
