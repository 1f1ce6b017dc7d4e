import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { hasProgram } from '../support/certificates.js';
import { useCommands } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';
import { startProgram } from '../support/programs.js';

const start = useCommands();

const FLAG = '--disallow-code-generation-from-strings';

test(`under ${FLAG}, the command says that it cannot start`, async () => {
  const command = startProgram(process.execPath, [FLAG, 'dist/cli.cjs', '--port', '0']);
  expect(await command.ended()).toBe(2);
  expect(command.stderr()).toContain(`Node.js runs with ${FLAG}`);
  expect(command.stderr().trim().split('\n')).toHaveLength(1);
});

const hasBun = hasProgram('bun');
(hasBun ? test : test.skip)(
  `Bun starts and stops a mock${hasBun ? '' : ' (skipped: bun is not installed)'}`,
  async () => {
    const script = writeFixture(
      `import { createMockServer } from '${process.cwd()}/dist/index.mjs';
      const server = await createMockServer();
      const url = await server.start();
      const headers = { Authorization: 'Bearer t' };
      console.log((await fetch(url + '/measurements?limit=1', { headers })).status);
      await server.stop();
      console.log('stopped');`,
      'bun.mjs',
    );
    const program = startProgram('bun', [script]);
    expect([await program.ended(), program.output()]).toEqual([0, '200\nstopped\n']);
  },
);

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
(hasIPv6 ? test : test.skip)(
  `--host takes an address in brackets, as it stands in a URL${hasIPv6 ? '' : ' (skipped: no ::1)'}`,
  async () => {
    const { url } = await start(['--host', '[::1]']);
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  },
);

const UNSHARE = ['--pid', '--fork', '--kill-child'];
const isUnshared = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;
const SLOW_LOADING = `
const Module = require('node:module');
const load = Module._load;
Module._load = function (path, ...others) {
  if (path.endsWith('command-line.cjs')) {
    require('node:fs').writeSync(1, 'loading\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  }
  return load.call(this, path, ...others);
};`;

(isUnshared ? test : test.skip)(
  `as process 1, the command ends by SIGTERM while it loads${isUnshared ? '' : ' (skipped: unshare is not allowed)'}`,
  async () => {
    const preload = writeFixture(SLOW_LOADING, 'slow-loading.cjs');
    const node = [process.execPath, '--require', preload, 'dist/cli.cjs', '--port', '0'];
    const command = startProgram('unshare', [...UNSHARE, ...node]);
    await command.printed('loading');
    const { pid } = command;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    process.kill(Number(children), 'SIGTERM');
    expect(await command.ended()).toBe(0);
  },
);
