import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectMockServer } from '../../src/mock/client/connect-mock-server.js';
import { useCommands } from '../support/command.js';
import { newFolder } from '../support/fixture.js';

const start = useCommands('--dataset', 'empty');

const stop = (url: string) => fetch(`${url}/__control/stop`, { method: 'POST' });

describe('POST /__control/stop ends the command', () => {
  test('after its response, as SIGTERM does: with its files written and the ready file removed', async () => {
    const folder = newFolder();
    const [readyFile, coverage] = [join(folder, 'ready.json'), join(folder, 'coverage.json')];
    const { command, url } = await start(['--ready-file', readyFile, '--coverage', coverage]);
    await fetch(`${url}/measurements`, { headers: { Authorization: 'Bearer t' } });
    expect(existsSync(readyFile)).toBe(true);
    const response = await stop(url);
    expect([response.status, await response.json()]).toEqual([202, { stopping: true }]);
    expect(await command.ended()).toBe(0);
    expect(existsSync(readyFile)).toBe(false);
    expect(readFileSync(coverage, 'utf8')).toContain('listMeasurements');
    await expect(stop(url)).rejects.toThrow('fetch failed');
  });

  test('while a response is held back, which still arrives', async () => {
    const { command, url } = await start(['--latency', '200']);
    const slow = fetch(`${url}/measurements`, { headers: { Authorization: 'Bearer t' } });
    const { journal } = connectMockServer({ url }).account('t');
    while ((await journal.count()) === 0);
    await connectMockServer({ url }).stop();
    expect((await slow).status).toBe(200);
    expect(await command.ended()).toBe(0);
  });
});
