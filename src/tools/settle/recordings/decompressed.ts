import * as zlib from 'node:zlib';
import { codingsOf, type Headers } from '../seen/header-fields.js';
import { bodyOf } from '../seen/samples.js';

/** As much as the body of a live response may have. */
const LIMIT = { maxOutputLength: 16 * 2 ** 20 };

/** Node has Zstandard since 22.15. */
const { zstdDecompressSync } = zlib as Partial<
  Record<'zstdDecompressSync', typeof zlib.brotliDecompressSync>
>;

/** By content coding (RFC 9110, section 8.4.1; RFC 7932; RFC 8878). */
const DECOMPRESS: Readonly<Record<string, ((bytes: Buffer) => Buffer) | undefined>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => zlib.gunzipSync(bytes, LIMIT),
  deflate: (bytes) => zlib.inflateSync(bytes, LIMIT),
  br: (bytes) => zlib.brotliDecompressSync(bytes, LIMIT),
  zstd: zstdDecompressSync && ((bytes) => zstdDecompressSync(bytes, LIMIT)),
};

/**
 * The bytes of a body as they were before `Content-Encoding`. Most recorders decompress bodies and
 * keep that field, so that bytes which are not so encoded are returned as they are.
 */
export function decompressed(bytes: Buffer, headers: Headers): Buffer {
  const codings = codingsOf(headers).toReversed();
  if (codings.length === 0 || bodyOf(bytes.toString()).kind === 'json') return bytes;
  try {
    return codings.reduce((rest, coding) => DECOMPRESS[coding]?.(rest) ?? rest, bytes);
  } catch {
    return bytes;
  }
}
