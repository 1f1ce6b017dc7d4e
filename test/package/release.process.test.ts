import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from '../support/fixture.js';

/** What a release of this repository and tag writes into package.json. */
function release(
  GITHUB_REPOSITORY: string,
  tag = (version: string) => `v${version}`,
  readme = 'Install it with npm.',
) {
  const cwd = newFolder();
  writeFileSync(join(cwd, 'README.md'), readme);
  writeFileSync(join(cwd, 'package.json'), readFileSync('package.json'));
  const manifest = () => JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  const env = {
    PATH: process.env.PATH,
    GITHUB_REPOSITORY,
    GITHUB_REF_NAME: tag(manifest().version),
  };
  const { status, stderr } = spawnSync(process.execPath, [resolve('scripts/set-repository.mjs')], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, stderr, manifest: manifest() };
}

test('a release names the repository that it comes from', () => {
  const { status, stderr, manifest } = release('acme/billing-mock');
  expect([status, stderr]).toEqual([0, '']);
  expect(manifest).toMatchObject({
    name: 'usage-billing-mock',
    homepage: 'https://github.com/acme/billing-mock#readme',
    bugs: 'https://github.com/acme/billing-mock/issues',
    repository: { type: 'git', url: 'git+https://github.com/acme/billing-mock.git' },
  });
});

test.each<[string, () => ReturnType<typeof release>, string]>([
  ['no repository', () => release(''), "GITHUB_REPOSITORY is ''; expected owner/name"],
  [
    'a package that its README calls unpublished',
    () => release('acme/mock', undefined, 'It is not on npm yet.'),
    "README.md says 'not on npm yet'",
  ],
  ['another version', () => release('acme/mock', () => 'v9.9.9'), "The tag is 'v9.9.9'"],
])('a release of %s is refused, and changes nothing', (_what, refused, sentence) => {
  const { status, stderr, manifest } = refused();
  expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(manifest).not.toHaveProperty('repository');
});

test('the changelog has a section for the version, which the release shows', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { status, stdout } = spawnSync(process.execPath, ['scripts/changelog.mjs', version], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/\S/)]);
});
