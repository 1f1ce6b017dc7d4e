import { constants as bufferConstants } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** A file is read as one text; nothing larger is written. */
export const MOST_BYTES = bufferConstants.MAX_STRING_LENGTH;

/** The same in words. */
export const MOST_MB = Math.round(MOST_BYTES / 2 ** 20);

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Waits for no pipe, and follows links only if it may. Windows has neither flag. */
const FOLLOWING = O_RDONLY | (O_NONBLOCK ?? 0);
const NOT_FOLLOWING = FOLLOWING | (O_NOFOLLOW ?? 0);

/**
 * The bytes of a file that a user names. Throws an error for what is not a regular file, such as a pipe
 * or a device, and for one of more than `MOST_BYTES`, before anything of it is read.
 */
export function readRegularFile(path: string, { followsLinks = true } = {}): Buffer {
  const descriptor = openSync(path, followsLinks ? FOLLOWING : NOT_FOLLOWING);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw withCode('EISDIR');
    if (!stats.isFile()) throw withCode('ENXIO');
    if (stats.size > MOST_BYTES) throw new Error(`it has more than ${MOST_MB} MB; expected less`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
