import { changedNumbers } from '../../../core/values/exact-numbers.js';
import { parseJson } from '../../../core/values/parse-json.js';
import type { NotedBody, NotedResponse } from './noted-request.js';

/** Returns the SHA-256 in hexadecimal. */
type Sha256 = (bytes: Uint8Array) => string;

/** Keeps a byte order mark, as Node's decoding does. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });
const VALID_UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** In bytes. Of a longer body, the journal lists only the length and the hash. */
const MAX_UNHASHED_BODY_BYTES = 16 * 1024;

export function noteOf(bytes: Uint8Array, sha256: Sha256): NotedBody {
  if (bytes.length <= MAX_UNHASHED_BODY_BYTES) return UTF_8.decode(bytes);
  return { bytes: bytes.length, hash: sha256(bytes) };
}

/** Unlike `noteOf`, keeps the text of a long body too, for archives. */
export function noteOfResponse(
  body: Uint8Array,
  sha256: Sha256,
): Pick<NotedResponse, 'text' | 'hash' | 'isBase64'> {
  const hash = body.length > MAX_UNHASHED_BODY_BYTES && { hash: sha256(body) };
  try {
    return { text: VALID_UTF_8.decode(body), ...hash };
  } catch {
    return { text: toBase64(body), isBase64: true, ...hash };
  }
}

/** Few enough to pass as arguments of one call; divisible by 3, so that base64 needs no padding. */
const BYTES_A_PIECE = 12_288;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += BYTES_A_PIECE) {
    const piece = bytes.subarray(start, start + BYTES_A_PIECE);
    // Spreading the bytes would take twenty times as long.
    text += btoa(String.fromCharCode.apply(null, piece as unknown as number[]));
  }
  return text;
}

/**
 * The parsed body; its text if it is not JSON, nested too deeply to send back, or has a number that
 * parsing would change.
 */
export function valueOfBody(body: string): unknown {
  try {
    const value = parseJson(body);
    return changedNumbers(body).next().done ? value : body;
  } catch {
    return body;
  }
}
