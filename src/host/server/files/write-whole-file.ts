import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Writes the file under another name and renames it, so that nobody reads half of it. */
export function writeWholeFile(
  path: string,
  content: string | Uint8Array,
  mode = 0o666,
  unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`),
): void {
  try {
    // `wx` never writes through an existing file or link.
    writeFileSync(unfinished, content, { flag: 'wx', mode });
    renameSync(unfinished, path);
  } catch (error) {
    // If the disk is full or the path is taken, each attempt would otherwise leave a file.
    rmSync(unfinished, { force: true });
    throw error;
  }
}
