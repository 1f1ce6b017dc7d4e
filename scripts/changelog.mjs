// Prints the entry of a version in CHANGELOG.md: `node scripts/changelog.mjs 0.1.0`.
import { readFileSync } from 'node:fs';

const [version] = process.argv.slice(2);
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1);
const section = sections.find((text) => text.split(/[\s]/)[0] === version);
if (!section) {
  const known = sections.map((text) => text.split('\n')[0]).join(', ');
  console.error(`CHANGELOG.md has no section '${version}'; expected one of ${known}. Add it.`);
  process.exit(1);
}
console.log(section.slice(section.indexOf('\n')).trim());
