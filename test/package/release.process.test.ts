import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { newFolder } from '../support/fixture.js';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

const WORKFLOWS = '.github/workflows';
const { permissions, jobs } = parse(readFileSync(join(WORKFLOWS, 'release.yml'), 'utf8')) as {
  permissions: object;
  jobs: Readonly<Record<string, Job>>;
};

/** What may run where something may be written. */
const PUBLISHES =
  /^(?:\w+="\$\()?(?:npm publish|tar|gh release|docker (?:login|load|push|buildx imagetools)) /;
const SHELL = /^(?:\w+="[^(]*"$|echo |printf |for |done$)/;

/** A release of this package, as the steps of the workflow find it in a checkout. */
function checkout() {
  const cwd = newFolder();
  for (const file of ['Dockerfile', 'package.json', 'CHANGELOG.md']) cpSync(file, join(cwd, file));
  writeFileSync(join(cwd, 'README.md'), 'Install it with npm.');
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
  return { cwd, read, manifest: () => JSON.parse(read('package.json')) };
}

/** Runs a step of the job `package` in a checkout, as a runner of GitHub does. */
function runStep(
  name: string,
  { cwd, manifest }: ReturnType<typeof checkout>,
  given: Readonly<Record<string, string>> = {},
) {
  const script = jobs.package?.steps?.find((step) => step.name === name)?.run ?? 'exit 99';
  const env = {
    PATH: process.env.PATH,
    GITHUB_REPOSITORY: 'acme/billing-mock',
    GITHUB_REF_NAME: `v${manifest().version}`,
    ...given,
  };
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-e', '-c', script], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

/** A `docker` in a folder of its own, which prints this. */
function dockerPrinting(text: string): string {
  const folder = newFolder();
  const script = `#!/bin/sh\necho "$@" >>'${join(folder, 'asked')}'\n${text}\n`;
  writeFileSync(join(folder, 'docker'), script, { mode: 0o755 });
  return folder;
}

describe('the workflow of a release', () => {
  test('lets only jobs publish that run nothing of others', () => {
    expect(permissions).toEqual({});
    const publishing = Object.entries(jobs).filter(([, job]) =>
      Object.values(job.permissions ?? {}).includes('write'),
    );
    expect(publishing.map(([name]) => name)).toEqual(['publish', 'publish-image']);
    for (const [, { steps = [] }] of publishing) {
      const lines = steps.flatMap(({ run = '' }) => run.split('\n').map((line) => line.trim()));
      const unknown = lines.filter((line) => line && !PUBLISHES.test(line) && !SHELL.test(line));
      expect(unknown).toEqual([]);
      expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'))).toEqual([]);
    }
  });

  test('publishes only when everything was built and tested', () => {
    const others = Object.keys(jobs).filter((name) => !name.startsWith('publish'));
    expect([...(jobs.publish?.needs ?? [])].sort()).toEqual(others.sort());
    expect(jobs['publish-image']?.needs).toBe('publish');
  });

  test('attests what it publishes beside the package', () => {
    for (const name of ['publish', 'publish-image']) {
      const used = jobs[name]?.steps?.map(({ uses = '' }) => uses.split('@')[0]);
      expect(used).toContain('actions/attest-build-provenance');
      expect(jobs[name]?.permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
    }
  });

  test('pins the base image to the digest that it has', () => {
    const release = checkout();
    const digest = `sha256:${'0a'.repeat(32)}`;
    const docker = dockerPrinting(`echo ${digest}`);
    const before = release.read('Dockerfile');
    const base = /^FROM (.*)$/m.exec(before)?.[1];
    const pinned = runStep('Pin the base image', release, {
      PATH: `${docker}:${process.env.PATH}`,
    });
    expect(pinned.status).toBe(0);
    expect(readFileSync(join(docker, 'asked'), 'utf8')).toContain(`inspect ${base} `);
    expect(release.read('Dockerfile')).toBe(
      before.replaceAll(/^FROM .*$/gm, (line) => `${line}@${digest}`),
    );
  });

  test.each(['exit 1', 'echo', 'echo sha256:'])(
    'fails where Docker knows no digest: %s',
    (text) => {
      const docker = dockerPrinting(text);
      const PATH = `${docker}:${process.env.PATH}`;
      expect(runStep('Pin the base image', checkout(), { PATH }).status).toBe(1);
    },
  );

  test('names the repository that the package comes from', () => {
    const release = checkout();
    expect(runStep('Say where the package comes from', release)).toEqual({ status: 0, output: '' });
    expect(release.manifest()).toMatchObject({
      name: 'usage-billing-mock',
      homepage: 'https://github.com/acme/billing-mock#readme',
      bugs: 'https://github.com/acme/billing-mock/issues',
      repository: { type: 'git', url: 'git+https://github.com/acme/billing-mock.git' },
    });
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['another version', { GITHUB_REF_NAME: 'v9.9.9' }, '', "The tag is 'v9.9.9'"],
    [
      'a package that its README calls unpublished',
      {},
      'It is not on npm yet.',
      "README.md says 'not on npm yet'",
    ],
  ])('refuses %s, and changes nothing', (_what, given, readme, sentence) => {
    const release = checkout();
    writeFileSync(join(release.cwd, 'README.md'), readme);
    const { status, output } = runStep('Say where the package comes from', release, given);
    expect([status, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(release.manifest()).not.toHaveProperty('repository');
  });

  test('shows what CHANGELOG.md says of the version', () => {
    const release = checkout();
    expect(runStep('Read the changes of this version', release)).toEqual({ status: 0, output: '' });
    const changes = release.read('changes.md').trim();
    expect(changes).toMatch(/\S/);
    expect(release.read('CHANGELOG.md')).toContain(changes);
    const missing = runStep('Read the changes of this version', release, { GITHUB_REF_NAME: 'v9' });
    expect([missing.status, missing.output]).toEqual([1, expect.stringContaining("'9'. Add it.")]);
  });
});

test('every workflow names actions by their commit', () => {
  const files = readdirSync(WORKFLOWS).map((file) => resolve(WORKFLOWS, file));
  const used = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/uses: (\S+)/g)].map(([, name = '']) => name),
  );
  expect(used.filter((name) => !/^\.\/|@[0-9a-f]{40}$/.test(name))).toEqual([]);
});
