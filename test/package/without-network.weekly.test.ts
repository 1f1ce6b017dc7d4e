import { canCutNetwork, withoutNetwork } from '../../scripts/without-network.mjs';
import { run } from '../support/programs.js';

const [describeCut, note] = canCutNetwork
  ? [describe, '']
  : [describe.skip, ' (not here: unshare -rn, or ip in it, is refused)'];

/** Runs a command without a network, and returns its output. */
async function runCut(...command: readonly string[]): Promise<string> {
  const [file, args] = withoutNetwork(command);
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const { stdout, stderr } = await run(file, args, { env });
  return stdout + stderr;
}

/** Starts the mock with npm, calls it, and prints the response and the network interfaces. */
const START = `
const child = require('child_process').spawn('npm', ['start', '--silent', '--', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
  detached: true,
});
child.stdout.once('data', async (line) => {
  const url = String(line).trim().split(' ').at(-1);
  const { status } = await fetch(url + '/measurements', { headers: { Authorization: 'Bearer t' } });
  console.log(status, Object.keys(require('os').networkInterfaces()).join());
  process.kill(-child.pid);
});
`;

describeCut(`without a network, once npm has installed everything,${note}`, () => {
  test('npm start builds and serves', async () => {
    expect(await runCut(process.execPath, '--eval', START)).toBe('200 lo\n');
  });

  test('npm test runs tests of the sources, of what is built, and of the kits', async () => {
    const files = [
      'operations/get-customer',
      'command-line/ready-file.process',
      'kit/own-mock.process',
    ];
    const paths = files.map((file) => `test/${file}.test.ts`);
    expect(await runCut('npm', 'test', '--', ...paths)).toContain('Test Suites: 3 passed, 3 total');
  });
});
