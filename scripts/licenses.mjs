// The licences of the packages whose code is in dist/: they ask for their text beside every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a file of a package, the package's folder: the last `node_modules/` and the name after it. */
const FOLDER = /^\/\/#region (.*node_modules\/(?:@[^/]+\/)?[^/]+)\//gm;

/** One text with the licence of every package that the bundled files have code of. */
export function licensesOf(files) {
  const code = files.map((file) => readFileSync(file, 'utf8'));
  const folders = new Set(code.flatMap((text) => [...text.matchAll(FOLDER)].map(([, at]) => at)));
  const described = [...folders].map(describe);
  return [...new Set(described)].sort().join(`\n${'-'.repeat(80)}\n\n`);
}

function describe(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license = manifest.licenses?.[0]?.type } = manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!license || !file) {
    throw new Error(
      `${folder} lacks a licence or its text; expected both, or it cannot be shipped.`,
    );
  }
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}, ${license}\n\n${text}\n`;
}
