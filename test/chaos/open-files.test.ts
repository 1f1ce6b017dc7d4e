import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, runCommandAfter, useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { fixtureFolder } from '../support/fixture.js';
import { openSocket } from '../support/socket.js';

const CONNECTIONS = 200;
const REQUEST = 'GET /measurements HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n\r\n';

const start = useCommands('--log-level', 'warn');
const withFewFiles = (args: readonly string[]): Command => runCommandAfter('ulimit -n 64', args);

describe('a command that can open no more than 64 files', () => {
  test('answers the connections that got in, closes the others, and says so once', async () => {
    const stateFile = join(mkdtempSync(join(fixtureFolder, 'files-')), 'state.json');
    const { command, url } = await start(['--state-file', stateFile], {}, withFewFiles);
    const connections = Array.from({ length: CONNECTIONS }, () => openSocket(url, REQUEST));
    const ended = new Set(connections.filter(({ socket }) => socket.readableEnded));
    for (const connection of connections) {
      connection.socket.once('end', () => ended.add(connection));
      connection.socket.once('close', () => ended.add(connection));
    }
    const answered = () => connections.filter(({ received }) => received().endsWith('}'));
    await until(() => answered().length + ended.size === CONNECTIONS);
    expect(answered().length).toBeGreaterThan(10);
    await command.logged('raise the limit (ulimit -n).');
    expect(command.stderr().match(/Closed a new connection/g)).toHaveLength(1);

    const [open] = answered();
    // The page is read from its file when it is first needed.
    open?.socket.write('GET /__control/ui HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await until(() => open?.received().includes('<!doctype html>') === true);

    for (const { socket } of connections) socket.destroy();
    const headers = { Authorization: 'Bearer t' };
    const contract = `${url}/contracts/65b000000000000000000001`;
    const statusOf = () =>
      fetch(contract, { method: 'DELETE', headers }).then(
        ({ status }) => status,
        () => undefined,
      );
    let status = await statusOf();
    while (status === undefined) status = await statusOf();
    expect(status).toBe(200);
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    expect(existsSync(stateFile)).toBe(true);
  });
});
