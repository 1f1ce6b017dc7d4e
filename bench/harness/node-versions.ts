// The version of Node that is measured, and an older one; npm fetches what is not installed.
import { execFileSync, spawnSync } from 'node:child_process';

const MEASURED = 24;
/** Supported, but nothing is tuned for it. */
export const OLDEST = 20;

/** The path of a version of Node, by its major number. */
export function nodeOf(major: number) {
  if (process.version.startsWith(`v${major}.`)) return process.execPath;
  const fetched = ['exec', '--yes', `--package=node@${major}`, '--'];
  return execFileSync('npm', [...fetched, 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
  }).trim();
}

/** Runs this program once more, and ends it, unless the measured version of Node runs it. */
export function runOnMeasuredNode() {
  const node = nodeOf(MEASURED);
  if (node === process.execPath) return;
  const args = ['--import', 'tsx', ...process.argv.slice(1)];
  process.exit(spawnSync(node, args, { stdio: 'inherit' }).status ?? 1);
}
