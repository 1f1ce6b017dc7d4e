import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/fetching.js';
import { newFolder } from '../support/fixture.js';
import { groupEnded, startProgram } from '../support/programs.js';

test('npm start in a clone leaves nothing behind when npm gets SIGTERM', async () => {
  const file = join(newFolder(), 'ready.json');
  const { pid } = startProgram('npm', ['start', '--', '--port', '0', '--ready-file', file]);
  await until(() => existsSync(file));
  const { url } = JSON.parse(readFileSync(file, 'utf8'));
  expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  process.kill(pid, 'SIGTERM');
  await groupEnded(pid);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
