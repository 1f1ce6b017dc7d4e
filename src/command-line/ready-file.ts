import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { packageVersion } from '../package-files.js';
import { EXIT, fail } from './exit.js';

/** What the ready file tells whoever waits for the mock. */
interface Running {
  readonly url: string;
  readonly token: string;
  /** What the control plane demands, if it demands a token. */
  readonly controlToken: string | undefined;
}

/**
 * A file that is there, and whole, from when the mock can be called until it ends. One that an
 * earlier mock has left is taken away.
 */
export function createReadyFile(file: string): { write(running: Running): void } {
  const attempt = (change: () => void) => {
    try {
      change();
    } catch (error) {
      fail(EXIT.wrongUse, `Cannot write the ready file: ${(error as Error).message}.`);
    }
  };
  attempt(() => rmSync(file, { force: true }));
  return {
    write(running) {
      const unfinished = `${file}.${process.pid}`;
      const content = { ...running, pid: process.pid, version: packageVersion() };
      attempt(() => {
        writeFileSync(unfinished, `${JSON.stringify(content)}\n`);
        // Renamed, so that nobody reads a half of it.
        renameSync(unfinished, file);
      });
      process.once('exit', () => rmSync(file, { force: true }));
    },
  };
}
