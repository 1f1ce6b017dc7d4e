import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { AS_NPM } from './npm.mjs';

/** The path of the packed package: the one in `TARBALL`, by which CI packs once, or a new one. */
export function packInto(/** @type {string} */ folder) {
  if (process.env.TARBALL) return process.env.TARBALL;
  const args = ['pack', '--silent', '--pack-destination', folder];
  const name = execFileSync('npm', args, { ...AS_NPM, encoding: 'utf8' }).trim();
  return join(folder, name);
}
