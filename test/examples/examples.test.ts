import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createCertificate, hasProgram } from '../support/certificates.js';
import { writeFixture } from '../support/fixture.js';
import { startProgram } from '../support/programs.js';

interface Example {
  readonly language: string;
  readonly folder: string;
  /** What has to be installed, each with arguments with which it succeeds. */
  readonly tools: readonly (readonly string[])[];
  readonly command: readonly [string, ...string[]];
  /** What it says of a second delete that finds the contract. */
  readonly complaint: RegExp;
}

const EXAMPLES: Example[] = [
  {
    language: 'Python',
    folder: 'examples/python',
    tools: [['python3', '--version']],
    command: ['python3', '-B', '-m', 'unittest'],
    complaint: /FAIL: test_delete_contract_once.*200 != 404.*FAILED \(failures=1\)/s,
  },
  {
    language: 'Go',
    folder: 'examples/go',
    tools: [['go', 'version']],
    command: ['go', 'test', '-count=1'],
    complaint:
      /--- FAIL: TestDeleteContractOnce.*\n.*got \[200 200 200\], expected \[200 404 200\]/,
  },
  {
    language: 'the shell',
    folder: 'examples/shell',
    tools: [
      ['sh', '-c', ':'],
      ['curl', '--version'],
    ],
    command: ['sh', 'test-billing.sh'],
    complaint: /^not ok - a deleted contract is not found: expected 404, got 200$/m,
  },
];

// Writes down which process it is, so that it can be seen to have ended.
const NOTES = writeFixture(
  "require('node:fs').writeFileSync(__filename + '.pid', String(process.pid));",
  'notes.cjs',
);
const MOCK = `node --require ${NOTES} ../../dist/cli.cjs`;

/** Runs an example with this command for the mock. */
async function run({ command: [file, ...args], folder }: Example, mock: string, trusted?: string) {
  const { PATH, HOME } = process.env;
  const example = startProgram(file, args, {
    cwd: folder,
    // The variable with which each of these languages is told which certificates to trust.
    env: { PATH, HOME, BILLING_MOCK_COMMAND: mock, ...(trusted && { SSL_CERT_FILE: trusted }) },
  });
  const status = await example.ended();
  const pid = Number(readFileSync(`${NOTES}.pid`, 'utf8'));
  return { status, output: example.output(), isMockRunning: isRunning(pid) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const hasOpenssl = hasProgram('openssl');

function missingTool({ tools }: Example): string | undefined {
  const isMissing = ([file = '', ...args]: readonly string[]) =>
    spawnSync(file, args, { stdio: 'ignore' }).status !== 0;
  return tools.find(isMissing)?.[0];
}

describe.each(EXAMPLES)('the example in $language', (example) => {
  const missing = missingTool(example);
  const runs = missing ? test.skip : test;
  const why = missing ? `, skipped: ${missing} is not installed` : '';

  runs(
    `passes, and stops the mock${why}`,
    async () => {
      const { output, ...end } = await run(example, MOCK);
      expect([end, output]).toEqual([{ status: 0, isMockRunning: false }, output]);
    },
    120_000,
  );

  (hasOpenssl ? runs : test.skip)(
    `passes unchanged over https below a base path${why}${hasOpenssl ? '' : ', skipped: openssl is not installed'}`,
    async () => {
      const { tlsCert, tlsKey } = createCertificate('DNS:localhost', 'IP:127.0.0.1');
      const secure = `${MOCK} --base-path /v1 --tls-cert ${tlsCert} --tls-key ${tlsKey}`;
      const { output, ...end } = await run(example, secure, tlsCert);
      expect([end, output]).toEqual([{ status: 0, isMockRunning: false }, output]);
    },
    120_000,
  );

  runs(
    `fails where a second delete finds the contract, and stops the mock${why}`,
    async () => {
      const { output, ...end } = await run(example, `${MOCK} --decide repeat-delete=same-result`);
      expect(output).toMatch(example.complaint);
      expect(end).toEqual({ status: 1, isMockRunning: false });
    },
    120_000,
  );

  runs(
    `fails with the words of a mock that does not start${why}`,
    async () => {
      const { output, ...end } = await run(example, `${MOCK} --nonsense`);
      expect(output).toMatch(/has not become ready.*Unknown option '--nonsense'/s);
      expect(end).toEqual({ status: 1, isMockRunning: false });
    },
    120_000,
  );
});
