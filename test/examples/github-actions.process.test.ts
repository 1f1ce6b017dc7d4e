import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { COMMAND_OPTIONS, OPTIONS, variableOf } from '../../src/host/options/option-table.js';
import { useCommands } from '../support/command.js';
import { newFolder } from '../support/fixture.js';
import { startProgram } from '../support/programs.js';

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const start = useCommands('--log-level', 'silent');
const text = readFileSync('examples/github-actions/billing-mock.yml', 'utf8');
const { jobs } = parse(text);
const { env, image, ports } = jobs['with-a-container'].services.billing;

const [tests] = stepsOf('with-a-container', 'tests');
const [startStep] = stepsOf('without-a-container', 'npx');

/** The steps of a job that run this command. */
function stepsOf(job: string, words: string): Step[] {
  return jobs[job].steps.filter(({ run }: Step) => run?.includes(words));
}

/** Runs the step that starts the mock as a runner would, with this mock in place of npx. */
async function runStartStep(npx: string, temporary = newFolder()) {
  const folder = newFolder();
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift\nexec ${npx} "$@"\n`, { mode: 0o755 });
  const { run = '' } = startStep ?? {};
  const script = run.replace('4010', '0');
  writeFileSync(join(folder, 'step.sh'), script);
  const step = startProgram('bash', ['-c', 'bash -e step.sh >output'], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, RUNNER_TEMP: temporary },
    // The mock must outlive the step.
    stdio: 'ignore',
  });
  const status = await step.ended();
  return {
    status,
    output: readFileSync(join(folder, 'output'), 'utf8'),
    readyFile: join(temporary, 'ready.json'),
    /** The content of the tests' folder, which an earlier run may have used. */
    checkout: readdirSync(folder).sort(),
  };
}

describe('the workflow of GitHub Actions', () => {
  test('names only environment variables that the command or a test takes', () => {
    const names = Object.keys({ ...OPTIONS, ...COMMAND_OPTIONS }).map(variableOf);
    // For the tests.
    names.push('USAGE_BILLING_MOCK_URL');
    const named = text.match(/USAGE_BILLING_MOCK_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(1);
    expect(names).toEqual(expect.arrayContaining(named));
  });

  test('gives the tests the control token of the service', async () => {
    const { url } = await start([], env);
    const headers = { Authorization: 'Bearer a', 'X-Control-Token': 'wrong' };
    expect((await fetch(`${url}/__control/account`, { headers })).status).toBe(403);
    headers['X-Control-Token'] = tests?.env?.USAGE_BILLING_MOCK_CONTROL_TOKEN ?? '';
    expect((await fetch(`${url}/__control/account`, { headers })).status).toBe(200);
  });

  test('calls the port at which the image listens, of the version of the package', () => {
    const [, port] = /USAGE_BILLING_MOCK_PORT=(\d+)/.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(ports).toEqual([`${port}:${port}`]);
    expect(image).toMatch(new RegExp(`^ghcr\\.io/your-org/.*:${version}$`));
  });

  test('goes on from the step that starts the mock once the mock can be called', async () => {
    const { status, readyFile, checkout } = await runStartStep(
      `node ${process.cwd()}/dist/cli.cjs`,
    );
    const { url } = JSON.parse(readFileSync(readyFile, 'utf8'));
    expect(status).toBe(0);
    expect(checkout).toEqual(['npx', 'output', 'step.sh']);
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  });

  test('waits for the ready file of its own mock where a killed one has left another', async () => {
    const temporary = newFolder();
    const killed = spawnSync(process.execPath, ['--eval', 'console.log(process.pid)']);
    const left = {
      url: 'http://127.0.0.1:9',
      token: 't',
      pid: Number(killed.stdout),
      version: '1',
    };
    writeFileSync(join(temporary, 'ready.json'), JSON.stringify(left));
    const { readyFile } = await runStartStep(`node ${process.cwd()}/dist/cli.cjs`, temporary);
    const { url } = JSON.parse(readFileSync(readyFile, 'utf8'));
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  });

  test('fails in that step with what the mock has said as soon as it has ended', async () => {
    const { status, output } = await runStartStep(`node ${process.cwd()}/dist/cli.cjs --nonsense`);
    expect(status).toBe(1);
    expect(output).toContain("Unknown option '--nonsense'");
  });
});
