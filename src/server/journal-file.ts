import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { EndedExchange } from '../accounts/journal/journal-rules.js';
import { whyUnwritable } from '../messages/file-error.js';

/** A file of exchanges, a line of JSON each. */
export interface JournalFile {
  /** Appends a request that has ended; that it cannot be written is reported in the log, once. */
  record(exchange: EndedExchange): void;
  /** Closes the file; a later line opens it again. */
  close(): void;
}

/** An open file, with the bytes that it has. */
interface OpenFile {
  readonly descriptor: number;
  bytes: number;
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** Neither a link is followed, nor is a pipe waited for. Windows has neither flag. */
const FLAGS = O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

const OWNER_ONLY = 0o600;

const IN_THE_WAY = 'Use another path, or remove it';

/**
 * Opens a journal file, and appends to one of an earlier server. Each line is written at once, so that
 * it stays whatever ends the process. Throws an error of one sentence if the file cannot be written.
 */
export function openJournalFile(path: string, mostBytes: number, logger: Logger): JournalFile {
  let file: OpenFile | undefined = attempt(path, () => {
    accessSync(dirname(path), constants.W_OK);
    return open(path);
  });
  let hasFailed = false;

  function close(): void {
    if (file) closeSync(file.descriptor);
    file = undefined;
  }

  /** The file with room for so many bytes; a full one becomes the older file first. */
  function withRoom(bytes: number): OpenFile {
    const isGone = file !== undefined && !isAt(path, file);
    if (isGone) close();
    // Others may have emptied it.
    if (file) file.bytes = fstatSync(file.descriptor).size;
    if (file && file.bytes > 0 && file.bytes + bytes > mostBytes) {
      renameSync(path, `${path}.1`);
      close();
    }
    file ??= open(path);
    if (isGone) logger.warn(`The journal file '${path}' was renamed or removed: began a new one.`);
    return file;
  }

  return {
    record(exchange) {
      // The clock of the account can be frozen.
      const time = new Date().toISOString();
      const line = Buffer.from(`${JSON.stringify({ time, ...exchange })}\n`);
      try {
        write(withRoom(line.length), line);
      } catch (error) {
        if (hasFailed) return;
        hasFailed = true;
        // What to do about it is for the start, not for a server that has run for days.
        const [reason = ''] = whyUnwritable(error).split('. ');
        logger.error(
          `${sentenceOf(path, reason)}; requests will be missing in it until it can be written.`,
        );
      }
    },
    close,
  };
}

function open(path: string): OpenFile {
  const descriptor = openSync(path, FLAGS, OWNER_ONLY);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw Object.assign(new Error(), { code: 'ENXIO' });
    refuseOtherFile(descriptor, stats.size);
    fchmodSync(descriptor, OWNER_ONLY);
    const file = { descriptor, bytes: stats.size };
    // A process that is killed while it writes can leave half a line.
    if (stats.size > 0 && byteAt(descriptor, stats.size - 1) !== '\n')
      write(file, Buffer.from('\n'));
    return file;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Whether the path leads to the open file: what is renamed or removed is found by nobody. */
function isAt(path: string, { descriptor }: OpenFile): boolean {
  const { dev, ino } = fstatSync(descriptor);
  const there = lstatSync(path, { throwIfNoEntry: false });
  return there?.ino === ino && there.dev === dev;
}

/** Refuses to append to what no journal has been written to, such as notes. */
function refuseOtherFile(descriptor: number, size: number): void {
  if (size > 0 && byteAt(descriptor, 0) !== '{') {
    throw new Error(`it is not a journal file. ${IN_THE_WAY}`);
  }
}

function byteAt(descriptor: number, position: number): string {
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, position);
  return byte.toString('latin1');
}

/** Writes all bytes or none. */
function write(file: OpenFile, bytes: Buffer): void {
  const { descriptor } = file;
  try {
    for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
    file.bytes += bytes.length;
  } catch (error) {
    ftruncateSync(descriptor, file.bytes);
    throw error;
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`${sentenceOf(path, whyUnwritable(error))}.`);
  }
}

function sentenceOf(path: string, reason: string): string {
  return `Cannot write the journal file '${path}': ${reason}`;
}
