import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAnotherProcess } from '../running-process.js';

const OWNER_ONLY = 0o600;
const CHUNK_CHARACTERS = 65_536;

/** The end of a file: the digest of all bytes before it, which shows that the file is undamaged. */
export function digestEnding(digest: string): string {
  return `,"sha256":"${digest}"}\n`;
}

/**
 * Replaces a file with the pieces of a JSON object and their digest. Writes another file in the
 * same folder and renames it when it is complete: the file is whole even if the process is killed,
 * and a link is replaced, not followed. Rejects with the code EFBIG, and leaves the file as it is,
 * if there are more than `mostBytes`.
 */
export async function writeState(
  path: string,
  pieces: Iterable<string>,
  mostBytes: number,
): Promise<void> {
  const unfinished = unfinishedName(path);
  try {
    const file = await open(unfinished, 'wx', OWNER_ONLY);
    try {
      await writePieces(file, pieces, mostBytes);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Throws if the file cannot be written. Removes unfinished files of servers that were killed. */
export function prepareFile(path: string): void {
  const unfinished = unfinishedName(path);
  closeSync(openSync(unfinished, 'wx', OWNER_ONLY));
  rmSync(unfinished);
  const start = `.${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const [, pid] = /^(\d+)\.[\da-f-]+$/.exec(name.slice(start.length)) ?? [];
    const isLeft = name.startsWith(start) && pid !== undefined && !isAnotherProcess(Number(pid));
    if (isLeft) rmSync(join(dirname(path), name), { force: true });
  }
}

function unfinishedName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${randomUUID()}`);
}

/** Writes in chunks, so that requests are answered in between. */
async function writePieces(
  file: FileHandle,
  pieces: Iterable<string>,
  mostBytes: number,
): Promise<void> {
  const hash = createHash('sha256');
  let bytesLeft = mostBytes - digestEnding('0'.repeat(64)).length;
  let chunk = '';
  const write = async () => {
    bytesLeft -= Buffer.byteLength(chunk);
    if (bytesLeft < 0) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
    hash.update(chunk);
    await file.appendFile(chunk);
    chunk = '';
  };
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length >= CHUNK_CHARACTERS) await write();
  }
  await write();
  await file.appendFile(digestEnding(hash.digest('hex')));
}
