import { gzipSync } from 'node:zlib';
import { useCommands } from '../support/command.js';

const startCommand = useCommands();

test('a few kilobytes of gzip that are megabytes of brackets end neither plane', async () => {
  const { command, url } = await startCommand([], { NODE_OPTIONS: '--max-old-space-size=512' });
  for (const [method, path, megabytes] of [
    ['POST', '/events/delete-by-refs', 10],
    ['PUT', '/__control/state', 4],
  ] as const) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: 'Bearer deep',
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      body: gzipSync('['.repeat(megabytes * 2 ** 20)),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'urn:usage-billing-mock:problem:invalid-request',
      detail: expect.stringContaining('at most 100 levels of objects and lists'),
    });
  }
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
});
