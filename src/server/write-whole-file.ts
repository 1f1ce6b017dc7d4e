import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Writes the file under another name and renames it, so that nobody reads half of it. */
export function writeWholeFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    // An existing file or link is not written through.
    writeFileSync(unfinished, content, { flag: 'wx', mode });
    renameSync(unfinished, path);
  } catch (error) {
    // The disk may be full, or the name taken: each attempt would leave one more.
    rmSync(unfinished, { force: true });
    throw error;
  }
}
