import { gzipSync } from 'node:zlib';
import { useCommands } from '../support/command.js';
import { endPrograms } from '../support/programs.js';

const startCommand = useCommands();
afterAll(endPrograms);

test.each([
  ['the service', 'POST', '/events/delete-by-refs', 10],
  ['the control plane', 'PUT', '/__control/state', 4],
])(
  'a few kilobytes of gzip that are megabytes of brackets do not end %s',
  async (_whose, method, path, megabytes) => {
    const env = { NODE_OPTIONS: '--max-old-space-size=512' };
    const { command, url } = await startCommand([], env);
    const body = gzipSync('['.repeat(megabytes * 2 ** 20));
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: 'Bearer deep',
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'urn:usage-billing-mock:problem:invalid-request',
      detail: expect.stringContaining('at most 100 levels of objects and lists'),
    });
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
  },
);
