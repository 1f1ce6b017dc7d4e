// Collects the licences of the packages whose code is in dist/, which must accompany every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.mjs';

/**
 * One text with the licence of every package whose code is in the files.
 * @param {string[]} files
 */
export function licensesOf(files) {
  const described = bundledPackages(files).map(describe);
  return [...new Set(described)].sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** @param {ReturnType<typeof bundledPackages>[number]} bundled */
function describe({ folder, manifest }) {
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
