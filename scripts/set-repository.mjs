// Writes the repository's address into package.json for a release. Fails if the tag names another
// version, or README.md says that there is no release: `GITHUB_REPOSITORY=owner/name GITHUB_REF_NAME=v0.1.0 node scripts/set-repository.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';

const { GITHUB_REPOSITORY = '', GITHUB_REF_NAME = '' } = process.env;
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
if (!/^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY)) {
  console.error(
    `GITHUB_REPOSITORY is '${GITHUB_REPOSITORY}'; expected owner/name, as GitHub Actions sets it.`,
  );
  process.exit(1);
}
if (GITHUB_REF_NAME !== `v${manifest.version}`) {
  console.error(
    `The tag is '${GITHUB_REF_NAME}', and package.json has the version ${manifest.version}; expected the tag v${manifest.version}. Set the version first.`,
  );
  process.exit(1);
}
if (/not on npm yet/i.test(readFileSync('README.md', 'utf8'))) {
  console.error(
    "README.md says 'not on npm yet'; expected how to install the package by its name. Change it before the release.",
  );
  process.exit(1);
}
const home = `https://github.com/${GITHUB_REPOSITORY}`;
const repository = { type: 'git', url: `git+${home}.git` };
const released = { ...manifest, homepage: `${home}#readme`, bugs: `${home}/issues`, repository };
writeFileSync('package.json', `${JSON.stringify(released, undefined, 2)}\n`);
