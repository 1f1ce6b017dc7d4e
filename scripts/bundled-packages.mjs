// Which packages the bundled files have code of: rolldown names the file where its code begins.
import { readFileSync } from 'node:fs';

/** Of a file of a package, the package's folder: the last `node_modules/` and the name after it. */
const FOLDER = /^\/\/ (.*node_modules\/(?:@[^/]+\/)?[^/]+)\//gm;

/**
 * The folder and the manifest of every package that the files have code of.
 * @param {string[]} files
 */
export function bundledPackages(files) {
  const code = files.map((file) => readFileSync(file, 'utf8'));
  const folders = new Set(
    code.flatMap((text) => [...text.matchAll(FOLDER)].map(([, at = '']) => at)),
  );
  return [...folders].map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')),
  }));
}
