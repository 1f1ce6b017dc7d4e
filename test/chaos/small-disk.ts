import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Command, runCommandAfter } from '../support/command.js';
import { newFolder } from '../support/fixture.js';

/** Only the command sees its mounts, and they end with it. */
const OWN_MOUNTS = ['unshare', '--map-root-user', '--mount'] as const;

/** Whether this user may mount a disk; skipped tests say so in their titles. */
export const canMount = (() => {
  try {
    execFileSync(OWN_MOUNTS[0], [...OWN_MOUNTS.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
    return true;
  } catch {
    return false;
  }
})();

/** A folder that is a disk of 64 kB for a command. */
export interface SmallDisk {
  /** Runs the command with the disk, once `prepare`, a line of shell, has run in its folder. */
  run(prepare: string): (args: readonly string[], env: NodeJS.ProcessEnv) => Command;
  /** The path of a file on it, as the command sees it. */
  path(name: string): string;
  /** The path by which the test reaches it. */
  seenFromOutside(command: Command, name?: string): string;
  /** Makes the disk read-only. */
  makeReadOnly(command: Command): void;
}

/** Creates or uses a folder on which a command gets a disk of 64 kB. */
export function createSmallDisk(folder = newFolder(), options = 'size=64k'): SmallDisk {
  const mount = `mount -t tmpfs -o ${options} tmpfs '${folder}'`;
  return {
    run: (prepare) => (args, env) =>
      runCommandAfter(`${mount} && (cd '${folder}' && ${prepare})`, args, env, [
        ...OWN_MOUNTS,
        'sh',
      ]),
    path: (name) => join(folder, name),
    seenFromOutside: ({ pid }, name = '') => join(`/proc/${pid}/root`, folder, name),
    makeReadOnly({ pid }) {
      const enter = ['--target', String(pid), '--user', '--mount', '--preserve-credentials'];
      execFileSync('nsenter', [...enter, 'mount', '-o', 'remount,ro', folder]);
    },
  };
}
