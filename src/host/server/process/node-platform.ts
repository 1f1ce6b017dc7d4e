import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Sign } from '../../../core/stubs/issued-tokens.js';
import { type Platform, timing } from '../../../mock/service/platform.js';
import { clearTimeout, elapsedMs, setTimeout } from '../../adapters/unfaked-time.js';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
};

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export const sign: Sign = (text, key) => createHmac('sha256', key).update(text).digest('base64url');

const after: Platform['after'] = (delayMs, act) => {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
};

export const NODE: Platform = {
  reasonPhrases: STATUS_CODES,
  elapsedMs,
  after,
  later(delayMs, act) {
    const timer = setTimeout(act, delayMs).unref();
    return () => clearTimeout(timer);
  },
  ...timing({ elapsedMs, after }, setImmediate),
  byteLength: Buffer.byteLength,
  decode(coding, content) {
    const createDecoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    return createDecoder && decoding(content, createDecoder());
  },
  sha256,
  sign,
  isSameSecret(one, other) {
    const digest = (text: string) => createHash('sha256').update(text).digest();
    return timingSafeEqual(digest(one), digest(other));
  },
};

/** Reads the content to its end, even if the caller stops reading what was decoded. */
async function* decoding(
  content: AsyncIterable<Uint8Array>,
  decoder: Transform,
): AsyncGenerator<Uint8Array, void> {
  const writing = writeAll(content, decoder);
  try {
    yield* decoder;
  } finally {
    decoder.destroy();
    await writing;
  }
}

async function writeAll(content: AsyncIterable<Uint8Array>, decoder: Transform): Promise<void> {
  try {
    for await (const piece of content) {
      if (!decoder.destroyed && !decoder.write(piece)) await writable(decoder);
    }
    decoder.end();
  } catch (error) {
    decoder.destroy(error as Error);
  }
}

function writable(decoder: Transform): Promise<void> {
  return new Promise((resolve) => {
    decoder.once('drain', resolve);
    decoder.once('close', resolve);
  });
}
