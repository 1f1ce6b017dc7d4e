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
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { whyUnwritable } from '../../core/values/file-error.js';
import type { EndedExchange } from '../../mock/subscribers/subscribers.js';

/** A file of exchanges, each a line of JSON, below a header line. */
export interface JournalFile {
  /** Appends a request that has ended. Logs only the first error until writing succeeds again. */
  record(exchange: EndedExchange): void;
  /** Closes the file; a later line opens it again. */
  close(): void;
}

interface OpenFile {
  readonly descriptor: number;
  bytes: number;
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** Do not follow a link or wait for a pipe. Windows lacks both flags. */
const FLAGS = O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

const OWNER_ONLY = 0o600;

const HEADER: Buffer = Buffer.from('{"usage-billing-mock":"journal","version":1}\n');
const NEW_LINE: Buffer = HEADER.subarray(-1);

const ANOTHER = `its first line is not '${HEADER.toString().trim()}', so this is not a journal, or one from another version of the mock. Use another path, or move the file away`;

/**
 * Appends to the journal of an earlier server, if there is one. Writes each line at once, so that
 * it survives a crash. Throws an error if the file cannot be written, or if it is neither a journal
 * nor empty.
 */
export function openJournalFile(path: string, logger: Logger): JournalFile {
  let file: OpenFile | undefined = attempt(path, () => {
    accessSync(dirname(path), constants.W_OK);
    return open(path);
  });
  let hasFailed = false;

  function close(): void {
    if (file) closeSync(file.descriptor);
    file = undefined;
  }

  /** The file at the path, which another process may have moved away, or emptied. */
  function current(): OpenFile {
    const isGone = file !== undefined && !isAt(path, file);
    if (isGone) close();
    if (file) file.bytes = fstatSync(file.descriptor).size;
    file ??= open(path);
    if (file.bytes === 0) write(file, HEADER);
    if (isGone) logger.warn(`The journal file '${path}' was renamed or removed: began a new one.`);
    return file;
  }

  return {
    record(exchange) {
      // Not by the account's clock, which can be frozen.
      const time = new Date().toISOString();
      const line = Buffer.from(`${JSON.stringify({ time, ...exchange })}\n`);
      try {
        write(current(), line);
        hasFailed = false;
      } catch (error) {
        if (hasFailed) return;
        hasFailed = true;
        // Without the advice that follows: it is for somebody who starts a server.
        const [reason = ''] = whyUnwritable(error).split('. ');
        logger.error(`${sentenceOf(path, reason)}; requests are missing until writing succeeds.`);
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
    if (stats.size > 0 && !hasHeader(descriptor)) throw new Error(ANOTHER);
    fchmodSync(descriptor, OWNER_ONLY);
    const file = { descriptor, bytes: stats.size };
    // A process that was killed while writing can have left half a line.
    const [last] = bytesAt(descriptor, stats.size - 1, 1);
    if (stats.size > 0 && last !== NEW_LINE[0]) write(file, NEW_LINE);
    return file;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** False if the open file has been renamed or removed. */
function isAt(path: string, { descriptor }: OpenFile): boolean {
  const { dev, ino } = fstatSync(descriptor);
  const there = lstatSync(path, { throwIfNoEntry: false });
  return there?.ino === ino && there.dev === dev;
}

function hasHeader(descriptor: number): boolean {
  return bytesAt(descriptor, 0, HEADER.length).equals(HEADER);
}

function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
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
