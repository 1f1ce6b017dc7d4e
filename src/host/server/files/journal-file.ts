import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { whyUnwritable } from '../../../core/values/file-error.js';
import type { EndedExchange } from '../../../mock/subscribers/subscribers.js';

/** A file of exchanges, each a line of JSON, below a header line. */
export interface JournalFile {
  /** Appends a request that has ended. Logs only the first error until writing succeeds again. */
  record(exchange: EndedExchange): void;
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** Do not follow a link or wait for a pipe. Windows lacks both flags. */
const FLAGS = O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

const OWNER_ONLY = 0o600;

const HEADER = '{"usage-billing-mock":"journal","version":1}\n';

const ANOTHER = `its first line is not '${HEADER.trim()}', so this is not a journal, or one from another version of the mock. Use another path, or move the file away`;

/**
 * Appends to the journal of an earlier server, if there is one. Opens the file for each line, so that
 * the line survives a crash, and the file may be moved away or emptied. Throws an error if the file
 * cannot be written, or if it is neither a journal nor empty.
 */
export function openJournalFile(path: string, logger: Logger): JournalFile {
  try {
    accessSync(dirname(path), constants.W_OK);
    withFile(path, (descriptor, { size }) => {
      if (size > 0 && textAt(descriptor, 0, HEADER.length) !== HEADER) throw new Error(ANOTHER);
      fchmodSync(descriptor, OWNER_ONLY);
      // A process that was killed while writing can have left half a line.
      const isCut = size > 0 && textAt(descriptor, size - 1, 1) !== '\n';
      if (size === 0 || isCut) appendFileSync(descriptor, isCut ? '\n' : HEADER);
    });
  } catch (error) {
    throw new Error(`${sentenceOf(path, whyUnwritable(error))}.`);
  }
  let hasFailed = false;
  return {
    record(exchange) {
      // Not by the account's clock, which can be frozen.
      const line = JSON.stringify({ time: new Date().toISOString(), ...exchange });
      try {
        withFile(path, (descriptor, { size }) => {
          fchmodSync(descriptor, OWNER_ONLY);
          // A full disk may have cut the last line.
          const before = size === 0 ? HEADER : hasFailed ? '\n' : '';
          appendFileSync(descriptor, `${before}${line}\n`);
        });
        hasFailed = false;
      } catch (error) {
        if (hasFailed) return;
        hasFailed = true;
        // Without the advice that follows: it is for somebody who starts a server.
        const [reason = ''] = whyUnwritable(error).split('. ');
        logger.error(`${sentenceOf(path, reason)}; requests are missing until writing succeeds.`);
      }
    },
  };
}

/** Opens the file at the path, which is new if another process has moved the last one away. */
function withFile(path: string, act: (descriptor: number, stats: Stats) => void): void {
  const descriptor = openSync(path, FLAGS, OWNER_ONLY);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw Object.assign(new Error(), { code: 'ENXIO' });
    act(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}

function textAt(descriptor: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, length, position));
}

function sentenceOf(path: string, reason: string): string {
  return `Cannot write the journal file '${path}': ${reason}`;
}
