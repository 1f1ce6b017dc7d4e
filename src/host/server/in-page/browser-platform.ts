import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import { type Platform, timing } from '../../../mock/service/platform.js';

// Read when the mock is loaded, because tests in the page may fake these globals later.
const { clearTimeout, performance, setTimeout } = globalThis;

const elapsedMs = () => performance.now();

const after: Platform['after'] = (delayMs, act) => {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
};

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The platform of a page or worker in a browser. */
export function browserPlatform(reasonPhrases: Platform['reasonPhrases']): Platform {
  return {
    reasonPhrases,
    elapsedMs,
    after,
    later: after,
    ...timing({ elapsedMs, after }, () => new Promise((resolve) => void after(0, resolve))),
    byteLength: (text) => bytesOf(text).length,
    decode: (coding, content) =>
      coding === 'gzip' || coding === 'deflate' ? decoding(content, coding) : undefined,
    sha256: (bytes) => bytesToHex(sha256(bytes)),
    sign(text, key) {
      const signature = String.fromCharCode(...hmac(sha256, bytesOf(key), bytesOf(text)));
      return btoa(signature).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    },
    // Need not take constant time: a page has no other clients.
    isSameSecret: (one, other) => one === other,
  };
}

async function* decoding(
  content: AsyncIterable<Uint8Array>,
  format: 'gzip' | 'deflate',
): AsyncGenerator<Uint8Array, void> {
  const { readable, writable } = new DecompressionStream(format);
  const writing = writeAll(content, writable.getWriter());
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await Promise.allSettled([reader.cancel(), writing]);
  }
}

async function writeAll(
  content: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter,
): Promise<void> {
  for await (const piece of content) await writer.write(piece);
  await writer.close();
}
