import { constants as bufferConstants } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** The size of the largest file that can be read, because its text becomes one string. */
const MAX_BYTES = bufferConstants.MAX_STRING_LENGTH;

/** For messages. */
const MAX_MB = Math.round(MAX_BYTES / 2 ** 20);

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Opening a pipe does not wait for a writer. Windows lacks `O_NONBLOCK` and `O_NOFOLLOW`. */
const FOLLOWING = O_RDONLY | (O_NONBLOCK ?? 0);
const NOT_FOLLOWING = FOLLOWING | (O_NOFOLLOW ?? 0);

/**
 * Reads a file that a user names. Throws before it reads anything if that is not a regular file
 * (but a pipe or a device, for example), or has more than `MAX_BYTES`.
 */
export function readRegularFile(path: string, { followsLinks = true } = {}): Buffer {
  const descriptor = openSync(path, followsLinks ? FOLLOWING : NOT_FOLLOWING);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw withCode('EISDIR');
    if (!stats.isFile()) throw withCode('ENXIO');
    if (stats.size > MAX_BYTES) throw new Error(`it is larger than the limit of ${MAX_MB} MB`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
