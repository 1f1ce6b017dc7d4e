// Finds the packages whose code is in dist/: rolldown names each file where its code begins.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a package: up to the last `node_modules/` and the name after it. */
const FOLDER = /^\/\/ (.*node_modules\/(?:@[^/]+\/)?[^/]+)\//gm;

/** The folder and the manifest of each. */
export function bundledPackages() {
  const files = readdirSync('dist').filter((file) => /\.[cm]js$/.test(file));
  const found = [...files, 'page/page.js'].flatMap((file) => [
    ...readFileSync(join('dist', file), 'utf8').matchAll(FOLDER),
  ]);
  return [...new Set(found.map(([, at = '']) => at))].map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')),
  }));
}

/** The text with their licences, which must accompany every copy. */
export function bundledLicenses() {
  const described = bundledPackages().map(({ folder, manifest }) => {
    const { name, version, license = manifest.licenses?.[0]?.type } = manifest;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!license || !file) {
      throw new Error(
        `${folder} lacks a licence or its text; expected both, or it cannot be shipped.`,
      );
    }
    const text = readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}, ${license}\n\n${text}\n`;
  });
  return [...new Set(described)].sort().join(`\n${'-'.repeat(80)}\n\n`);
}
