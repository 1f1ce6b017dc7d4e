import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { createMock } from '../../src/host/server/mock-server.js';
import { createMockServer, type MockServer, type MockServerOptions } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { newFolder, writeFixture } from '../support/fixture.js';
import { stderrOf } from '../support/stderr.js';

const CONTRACT = '65b000000000000000000001';

/** The path of a file that does not exist, in an empty folder. */
function newFile(): string {
  return join(newFolder(), 'state.json');
}

/** Lets a server act, then stops it, so that the next one reads its file. */
async function serveOnce(
  act: (server: MockServer) => unknown,
  stateFile: string,
  options: MockServerOptions = {},
): Promise<void> {
  const server = await createMockServer({ stateFile, ...options });
  await act(server);
  await server.stop();
}

function contentOf(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

describe('the option stateFile', () => {
  test('keeps the day from which relative dates count, and is refused if `now` gives another', async () => {
    const dataset = writeFixture('customers: [{ id: c1, name: Initech, createdAt: today }]');
    const stateFile = newFile();
    const createdWith = async (options: MockServerOptions) => {
      let createdAt: unknown;
      const read = (server: MockServer) => {
        const { customers } = server.account('t');
        createdAt = customers.get('c1')?.createdAt;
        customers.add({ name: 'Umbrella' });
      };
      await serveOnce(read, stateFile, { dataset, ...options });
      return createdAt;
    };
    expect(await createdWith({ now: '2026-10-01' })).toBe('2026-10-01T00:00:00.000Z');
    expect(await createdWith({})).toBe('2026-10-01T00:00:00.000Z');
    await expect(createdWith({ now: '2026-10-05' })).rejects.toThrow('was saved with the dataset');
  });

  test('keeps records, tombstones, faults, stubs, clock, latency and decisions, and no journal', async () => {
    const stateFile = newFile();
    let before = '';
    await serveOnce(async (server) => {
      const account = server.account('t');
      await clientOf(server, 't').delete(`/contracts/${CONTRACT}`);
      account.customers.put({ id: 'added', name: 'Initech' });
      account.customers.patch('added', { aliases: ['tps'] });
      account.customers.add({ name: 'Second' });
      account.customers.remove('65a000000000000000000002');
      account.clock.freeze('2030-01-01T00:00:00.000Z');
      account.stubs.add({ method: 'GET', path: '/me', body: { name: 'Robin' } });
      account.latency.set('1..2');
      account.faults.add({ kind: 'status', status: 503, times: 2, operationId: 'getCustomer' });
      await clientOf(server, 't').get('/customers/added');
      const seen = { host: 'h', at: '2026-10-01T12:00:00.000Z', evidence: ['GET / -> 404'] };
      account.decisions.change({ 'repeat-delete': 'gone', 'total-counts': { value: 'all', seen } });
      before = account.fingerprint();
    }, stateFile);
    const server = await createMockServer({ stateFile });
    const account = server.account('t');
    expect(account.fingerprint()).toBe(before);
    expect(account.customers.get('added')).toMatchObject({ name: 'Initech', aliases: ['tps'] });
    expect(account.customers.get('65a000000000000000000002')).toBeUndefined();
    expect(account.clock.now().toISOString()).toBe('2030-01-01T00:00:00.000Z');
    expect(account.stubs.list()).toMatchObject([{ path: '/me', body: { name: 'Robin' } }]);
    expect(account.latency.range).toEqual({ minMs: 1, maxMs: 2 });
    // One of its two times is left.
    expect(account.faults.list()).toMatchObject([{ id: 1, fired: 0, times: 1 }]);
    expect(account.decisions.inForce['repeat-delete']).toBe('gone');
    expect(account.decisions.fidelity().some((row) => JSON.stringify(row).includes('"h"'))).toBe(
      true,
    );
    expect(account.journal.list()).toEqual([]);
    expect((await clientOf(server, 't').delete(`/contracts/${CONTRACT}`)).status).toBe(410);
  });

  test('restores every record of accounts that were imported or emptied', async () => {
    const stateFile = newFile();
    const before: string[] = [];
    await serveOnce((server) => {
      const [imported, emptied] = [server.account('imported'), server.account('emptied')];
      imported.importState({ customers: [{ id: 'b' }, { id: 'a', name: 'Only' }] });
      emptied.importState({});
      before.push(imported.fingerprint(), emptied.fingerprint());
    }, stateFile);
    const server = await createMockServer({ stateFile });
    const [imported, emptied] = [server.account('imported'), server.account('emptied')];
    expect([imported.fingerprint(), emptied.fingerprint()]).toEqual(before);
    expect(imported.customers.list().map(({ id }) => id)).toEqual(['b', 'a']);
    expect(emptied.measurements.list()).toEqual([]);
  });

  test('goes back with reset() to the dataset, which the file then says too', async () => {
    const stateFile = newFile();
    await serveOnce((server) => server.account('t').contracts.remove(CONTRACT), stateFile);
    await serveOnce((server) => {
      expect(server.account('t').contracts.get(CONTRACT)).toBeUndefined();
      server.account('t').reset();
      expect(server.account('t').contracts.get(CONTRACT)).toBeDefined();
    }, stateFile);
    expect(contentOf(stateFile).accounts).toEqual([]);
  });

  test('keeps accounts whose tokens do not come for the servers after the next', async () => {
    const stateFile = newFile();
    await serveOnce((server) => server.account('one').contracts.remove(CONTRACT), stateFile);
    await serveOnce((server) => server.account('two').contracts.remove(CONTRACT), stateFile);
    const server = await createMockServer({ stateFile });
    expect(server.tokens()).toEqual([]);
    expect(server.account('one').contracts.get(CONTRACT)).toBeUndefined();
    expect(server.account('two').contracts.get(CONTRACT)).toBeUndefined();
    expect(server.account('three').contracts.get(CONTRACT)).toBeDefined();
  });

  test.each<[string, (server: MockServer) => unknown]>([
    ['closeAccount', (server) => expect(server.closeAccount('t')).toBe(true)],
    ['closeAllAccounts', (server) => server.closeAllAccounts()],
    ['resetAll', (server) => server.resetAll()],
  ])('%s drops what is saved of an account whose token has not come', async (_what, act) => {
    const stateFile = newFile();
    await serveOnce((server) => server.account('t').contracts.remove(CONTRACT), stateFile);
    await serveOnce(act, stateFile);
    const server = await createMockServer({ stateFile });
    expect(server.account('t').contracts.get(CONTRACT)).toBeDefined();
  });

  test('admits a saved token where unknown tokens are rejected', async () => {
    const [stateFile, decisions] = [newFile(), { 'unknown-token': 'reject' } as const];
    await serveOnce((server) => server.account('t').contracts.remove(CONTRACT), stateFile);
    const server = await createMockServer({ stateFile, decisions });
    expect((await clientOf(server, 'other').get('/measurements')).status).toBe(401);
    expect((await clientOf(server, 't').get('/measurements')).status).toBe(200);
  });

  test('writes nothing while nothing has changed', async () => {
    const stateFile = newFile();
    await serveOnce((server) => clientOf(server, 't').get('/measurements'), stateFile);
    expect(existsSync(stateFile)).toBe(false);
    await serveOnce((server) => server.account('t').contracts.remove(CONTRACT), stateFile);
    const { ino } = statSync(stateFile);
    const server = await createMockServer({ stateFile });
    await server.stop();
    expect(statSync(stateFile).ino).toBe(ino);
    server.account('other').contracts.remove(CONTRACT);
    await server.stop();
    const changed = statSync(stateFile).ino;
    expect(changed).not.toBe(ino);
    await server.stop();
    expect(statSync(stateFile).ino).toBe(changed);
  });

  test('writes a file that only its owner can read, without tokens, and leaves no other', async () => {
    const stateFile = newFile();
    const change = (server: MockServer) => server.account('secret-token').customers.add({});
    await serveOnce(change, stateFile);
    // Windows has no such file modes.
    if (process.platform !== 'win32') expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(stateFile, 'utf8')).not.toContain('secret-token');
    expect(readdirSync(dirname(stateFile))).toEqual(['state.json']);
    const other = newFile();
    await serveOnce(change, other);
    expect(contentOf(other).accounts[0].token).not.toBe(contentOf(stateFile).accounts[0].token);
  });

  test('replaces a link that has taken its place, and does not follow it', async () => {
    const stateFile = newFile();
    const other = join(dirname(stateFile), 'other');
    const server = await createMockServer({ stateFile });
    server.account('t').customers.add({});
    writeFileSync(other, 'mine');
    symlinkSync(other, stateFile);
    await server.stop();
    expect(readFileSync(other, 'utf8')).toBe('mine');
    expect(lstatSync(stateFile).isFile()).toBe(true);
  });

  test('needs little space for a thousand accounts over a large dataset', async () => {
    const [stateFile, dataset] = [newFile(), 'large'];
    await serveOnce(
      (server) => {
        const [contract] = server.dataset.contracts;
        for (let index = 0; index < 1_000; index += 1) {
          const account = server.account(`t-${index}`);
          account.contracts.remove(contract?.id ?? '');
          account.clock.advance(index);
        }
      },
      stateFile,
      { dataset },
    );
    expect(contentOf(stateFile).accounts).toHaveLength(1_000);
    expect(statSync(stateFile).size).toBeLessThan(400_000);
  });

  test('says once that it cannot be written, and goes on', async () => {
    const stateFile = newFile();
    const server = await createMockServer({ stateFile, logLevel: 'error' });
    const lines = await stderrOf(async () => {
      rmSync(dirname(stateFile), { recursive: true });
      server.account('t').contracts.remove(CONTRACT);
      await server.stop();
      await server.stop();
    });
    expect(lines).toEqual([
      expect.stringMatching(
        /Cannot write the state file '.*state\.json': its folder does not exist\. .*\. Changes are not saved until writing succeeds\.\n$/,
      ),
    ]);
    mkdirSync(dirname(stateFile));
    await server.stop();
    expect(contentOf(stateFile).accounts).toHaveLength(1);
  });

  test('always restores what it has saved, which counts from then on', async () => {
    const stateFile = newFile();
    await serveOnce((server) => server.account('t').customers.put({ id: 'c' }), stateFile);
    const { server } = await createMock({ stateFile }, { maxima: { records: 1 } });
    const [other, put] = [server.account('other'), () => other.customers.put({ id: 'd' })];
    other.customers.put({ id: 'c' });
    expect(server.account('t').customers.get('c')).toBeDefined();
    expect(put).toThrow('together keep 2 changed records');
    server.account('t').reset();
    expect(put).toThrow('together keep 1 changed records');
    other.reset();
    put();
  });

  test('is refused if it has more accounts than may be open, and stays', async () => {
    const stateFile = newFile();
    for (const token of ['one', 'two'])
      await serveOnce((server) => server.account(token).contracts.remove(CONTRACT), stateFile);
    const text = readFileSync(stateFile, 'utf8');
    await expect(createMockServer({ stateFile, maxAccounts: 1 })).rejects.toThrow(
      /^The state file '.*' has the state of 2 accounts; expected at most 1 \(--max-accounts, .*\)\. Raise that limit, use another file, or delete this one\.$/,
    );
    expect(readFileSync(stateFile, 'utf8')).toBe(text);
    await createMockServer({ stateFile, maxAccounts: 2 });
  });

  test('never gets more accounts than may be open: those that no run has used are dropped, oldest first', async () => {
    const stateFile = newFile();
    const changing = (...tokens: string[]) => {
      const act = (server: MockServer) => {
        for (const token of tokens) server.account(token).contracts.remove(CONTRACT);
      };
      return serveOnce(act, stateFile, { maxAccounts: 2, logLevel: 'warn', logFormat: 'text' });
    };
    await changing('one', 'two');
    const lines = await stderrOf(() => changing('three'));
    expect(lines).toEqual([
      expect.stringMatching(/Dropped saved accounts .* oldest first: .*--max-accounts/),
    ]);
    expect(contentOf(stateFile).accounts).toHaveLength(2);
    const server = await createMockServer({ stateFile, maxAccounts: 2 });
    const isRemoved = (token: string) =>
      server.account(token).contracts.get(CONTRACT) === undefined;
    expect(['two', 'three'].map(isRemoved)).toEqual([true, true]);
  });

  test('refuses a file that is too large to be read, and says so', async () => {
    const stateFile = newFile();
    await serveOnce((server) => server.account('t').contracts.remove(CONTRACT), stateFile);
    truncateSync(stateFile, 600 * 2 ** 20);
    await expect(createMockServer({ stateFile })).rejects.toThrow(
      /^The state file '.*' cannot be read: it is larger than the limit of 512 MB\.$/,
    );
  });

  test('drops an account whose token has another dataset now', async () => {
    const stateFile = newFile();
    await serveOnce((server) => server.account('t').contracts.remove(CONTRACT), stateFile);
    const server = await createMockServer({ stateFile, accounts: { t: { seed: 7 } } });
    expect(server.account('t').contracts.get(CONTRACT)).toBeDefined();
  });

  test('removes what a killed server has left beside the file', async () => {
    const stateFile = newFile();
    const others = join(dirname(stateFile), 'state.json.mine');
    writeFileSync(`${stateFile}.unfinished`, 'half');
    writeFileSync(others, 'mine');
    await (await createMockServer({ stateFile })).stop();
    expect(readdirSync(dirname(stateFile))).toEqual(['state.json.mine']);
  });

  test('refuses a file of another dataset, and names both', async () => {
    const stateFile = newFile();
    const dataset = writeFixture('customers: [{ id: a }]');
    await serveOnce((server) => server.account('t').customers.add({}), stateFile, { dataset });
    const moved = newFile();
    renameSync(stateFile, moved);
    await expect(createMockServer({ stateFile: moved })).rejects.toThrow(
      /^The state file '.*' was saved with the dataset "\w{16}"; expected '\w{16}', the fingerprint of the dataset and seed in force\. Start with the dataset and seed of the file, use another file, or delete this one\.$/,
    );
  });
});

describe('a state file that a mock uses', () => {
  test('is refused to another, in this process too, until the first stops', async () => {
    const stateFile = newFile();
    const first = await createMockServer({ stateFile });
    await expect(createMockServer({ stateFile })).rejects.toThrow(
      /^The state file '.*' is in use by another mock, process \d+ on .+\. Stop that mock, or use another file\. If it was killed, wait 15 seconds\.$/,
    );
    await first.stop();
    await (await createMockServer({ stateFile })).stop();
    expect(readdirSync(dirname(stateFile))).toEqual([]);
  });

  test('is refused to another whatever the time is that a test has set', async () => {
    const stateFile = newFile();
    const first = await createMockServer({ stateFile });
    jest.useFakeTimers({ now: new Date('2030-01-01') });
    try {
      await expect(createMockServer({ stateFile })).rejects.toThrow('is in use by another mock');
    } finally {
      jest.useRealTimers();
    }
    await first.stop();
  });

  test('is free again after a start that failed', async () => {
    const stateFile = newFile();
    const decisions = { 'repeat-delete': 'gon' } as object;
    await expect(createMockServer({ stateFile, decisions })).rejects.toThrow();
    await expect(createMockServer({ stateFile, dataset: 'nowhere.yaml' })).rejects.toThrow();
    await createMockServer({ stateFile });
  });

  test.each<[what: string, lock: object, ageSeconds: number, isRefused: boolean]>([
    ['another host', { host: 'elsewhere', pid: 1 }, 14, true],
    ['another host that has not saved for long', { host: 'elsewhere', pid: 1 }, 16, false],
    ['a clock that was ahead', { host: 'elsewhere', pid: 1 }, -16, false],
    ['a running process', { pid: process.ppid }, 14, true],
    ['a process that has ended', { pid: 2 ** 30 }, 0, false],
    ['an earlier process with the id of this one', { pid: process.pid }, 0, false],
    ['another thread of this process', { pid: process.pid, startedAt: new Date() }, 0, true],
    ['a mock that was killed while it wrote the lock', { host: undefined }, 0, false],
  ])('is locked or not by %s', async (_what, lock, ageSeconds, isRefused) => {
    const stateFile = newFile();
    const startedAt = '2026-01-01T00:00:00.000Z';
    writeFileSync(`${stateFile}.lock`, JSON.stringify({ host: hostname(), startedAt, ...lock }));
    const heldAt = Date.now() / 1_000 - ageSeconds;
    utimesSync(`${stateFile}.lock`, heldAt, heldAt);
    const starting = createMockServer({ stateFile });
    if (isRefused) await expect(starting).rejects.toThrow('is in use by another mock');
    else await (await starting).stop();
    expect(existsSync(`${stateFile}.lock`)).toBe(isRefused);
  });

  test('is not written by a mock whose lock another has taken', async () => {
    const stateFile = newFile();
    const first = await createMockServer({ stateFile, logLevel: 'error' });
    utimesSync(`${stateFile}.lock`, 0, 0);
    const second = await createMockServer({ stateFile });
    second.account('second').contracts.remove(CONTRACT);
    const lines = await stderrOf(async () => {
      first.account('first').contracts.remove(CONTRACT);
      await first.stop();
    });
    expect(lines).toEqual([expect.stringMatching(/is in use by another mock, .*not saved\.\n$/)]);
    await second.stop();
    const third = await createMockServer({ stateFile });
    expect(third.account('second').contracts.get(CONTRACT)).toBeUndefined();
    expect(third.account('first').contracts.get(CONTRACT)).toBeDefined();
  });
});
