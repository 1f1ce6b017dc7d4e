import type { NotedResponse } from './journal-request.js';
import type { NotedBody } from './show-request.js';

/** The SHA-256 of bytes, in hexadecimal digits. */
type Sha256 = (bytes: Uint8Array) => string;

/** As Node's own decoding, a byte order mark is kept. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });
const VALID_UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** A longer one is not listed. */
const LARGEST_BODY = 16 * 1024;

/** A body as it is kept: its text, or the length and the SHA-256 of a long one. */
export function noteOf(bytes: Uint8Array, sha256: Sha256): NotedBody {
  if (bytes.length <= LARGEST_BODY) return UTF_8.decode(bytes);
  return { bytes: bytes.length, hash: sha256(bytes) };
}

/** The body of a response as it is kept. */
export function noteOfResponse(
  body: Uint8Array,
  sha256: Sha256,
): Pick<NotedResponse, 'text' | 'hash' | 'isBase64'> {
  const hash = body.length > LARGEST_BODY && { hash: sha256(body) };
  try {
    return { text: VALID_UTF_8.decode(body), ...hash };
  } catch {
    return { text: toBase64(body), isBase64: true, ...hash };
  }
}

/** So many bytes are no more characters than a function takes, and in base64 need no padding. */
const BYTES_A_PIECE = 12_288;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += BYTES_A_PIECE) {
    const piece = bytes.subarray(start, start + BYTES_A_PIECE);
    // Not spread: that takes twenty times as long.
    text += btoa(String.fromCharCode.apply(null, piece as unknown as number[]));
  }
  return text;
}
