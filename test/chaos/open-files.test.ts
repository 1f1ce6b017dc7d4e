import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, runCommandAfter, useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { newFolder } from '../support/fixture.js';
import { openSocket } from '../support/socket.js';

const CONNECTIONS = 200;
const CONTRACT = '/contracts/65b00000000000000000000';
const REQUEST = 'GET /measurements HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n\r\n';

const start = useCommands('--log-level', 'warn');
const HASTENED = { NODE_OPTIONS: `--require ${resolve('test/chaos/hastened-saves.cjs')}` };
const withFewFiles = (args: readonly string[], env: NodeJS.ProcessEnv): Command =>
  runCommandAfter('ulimit -n 64', args, env);

describe('a command that can open no more than 64 files', () => {
  test('answers the connections that got in, closes the others, and says so once', async () => {
    const stateFile = join(newFolder(), 'state.json');
    const { command, url } = await start(['--state-file', stateFile], HASTENED, withFewFiles);
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
    // The page's file is read when the page is first requested.
    open?.socket.write('GET /__control/ui HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await until(() => open?.received().includes('<!doctype html>') === true);
    expect(existsSync(stateFile)).toBe(false);
    open?.socket.write(REQUEST.replace('GET /measurements', `DELETE ${CONTRACT}1`));
    await until(() => existsSync(stateFile));

    for (const { socket } of connections) socket.destroy();
    const headers = { Authorization: 'Bearer t' };
    const statusOf = () =>
      fetch(`${url}${CONTRACT}2`, { method: 'DELETE', headers }).then(
        ({ status }) => status,
        () => undefined,
      );
    let status = await statusOf();
    while (status === undefined) status = await statusOf();
    expect(status).toBe(200);
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    expect(readFileSync(stateFile, 'utf8')).toContain(`${CONTRACT.split('/').at(-1)}2`);
  });
});
