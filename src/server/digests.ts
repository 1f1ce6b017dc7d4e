import { createHash, createHmac } from 'node:crypto';
import type { Sign } from '../stubs/issued-tokens.js';

/** The SHA-256 of the bytes, in hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The HMAC of a text with SHA-256, in base64url: kits sign tokens as the mock does. */
export const sign: Sign = (text, key) => createHmac('sha256', key).update(text).digest('base64url');
