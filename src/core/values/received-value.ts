import { excerptOf } from './excerpt.js';
import { ownText } from './own-text.js';
import { redacted, SECRET_NAME } from './secret-name.js';

const LONGEST = 200;

/**
 * A received value as a message shows it: mostly JSON without credentials, cut after 200 characters.
 * Never throws.
 */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return cut(toJson(value));
}

/** The text, or its first 200 (or `longest`) characters; does not split a surrogate pair. */
export function cut(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text;
  return ownText(`${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`);
}

export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Escapes control characters other than line breaks, as JSON does. A terminal would obey some of
 * them, and others would change the direction of the text that follows.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /(?!\n)[\p{Cc}\p{Bidi_C}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function withoutSecrets(name: string, member: unknown): unknown {
  return SECRET_NAME.test(name) && member != null ? redacted(member) : member;
}

function toJson(value: unknown): string {
  try {
    // Each element takes at least two characters, so the excerpt has all that is not cut.
    const bounds = { maxElements: LONGEST, maxTextLength: LONGEST + 1 };
    return JSON.stringify(excerptOf(value, bounds), withoutSecrets) ?? String(value);
  } catch {
    return 'a value that cannot be shown, because JSON cannot express it…';
  }
}
