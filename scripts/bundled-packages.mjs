// Finds the packages in bundled files: rolldown names each file where its code begins.
import { readFileSync } from 'node:fs';

/** The folder of a package: up to the last `node_modules/` and the name after it. */
const FOLDER = /^\/\/ (.*node_modules\/(?:@[^/]+\/)?[^/]+)\//gm;

/**
 * The folder and the manifest of every package whose code is in the files.
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
