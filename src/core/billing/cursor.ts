import { ProblemError, type ProblemGround } from '../errors/problem-error.js';
import { hexHash } from '../store/hash.js';
import type { Position } from '../store/order.js';
import { parseJson } from '../values/parse-json.js';
import { cut } from '../values/received-value.js';

/** What a cursor is valid for: one listing, in one order, over one dataset, with any token. */
export interface CursorScope {
  /** The fingerprint of the dataset. */
  readonly dataset: string;
  /** The listing and its order, such as `measurements by usage-date`. */
  readonly listing: string;
}

export interface CursorContent {
  /**
   * The position of the last record on the previous page; in a listing of the control plane, that
   * of the first record on the next one.
   */
  readonly position: Position;
  /**
   * When it was issued, in ms since 1970. Absent if cursors never expire, so that the same page
   * always has the same cursor.
   */
  readonly issuedAt?: number;
}

const VERSION = 1;

/** Writes the opaque, URL-safe cursor of section 4.4. The same content gives the same text. */
export function writeCursor(scope: CursorScope, { position, issuedAt }: CursorContent): string {
  const fields = [VERSION, scope.dataset, scope.listing, ...position];
  const payload = JSON.stringify(issuedAt === undefined ? fields : [...fields, issuedAt]);
  return toBase64Url(hexHash(8, payload) + payload);
}

/**
 * Reads a cursor, or returns the reason why it is invalid in this scope. The checksum reveals
 * changes, but not forgeries.
 */
export function readCursor(scope: CursorScope, cursor: string): CursorContent | string {
  const text = fromBase64Url(cursor);
  const payload = text?.slice(8);
  const isOwn = payload && text === hexHash(8, payload) + payload && cursor === toBase64Url(text);
  if (!isOwn) return NEVER_ISSUED;
  const [version, dataset, listing, ...content] = fieldsOf(payload);
  const isOfCursor = typeof dataset === 'string' && typeof listing === 'string';
  if (typeof version !== 'number' || !isOfCursor) return NEVER_ISSUED;
  if (version !== VERSION) return `another version of this mock issued it (format ${version})`;
  if (dataset !== scope.dataset) return 'it was issued for another dataset';
  if (listing !== scope.listing) return `it was issued for the listing of ${listing}`;
  return contentOf(content) ?? NEVER_ISSUED;
}

export const NEVER_ISSUED = 'this mock never issued it, or it was changed or truncated';

function fieldsOf(payload: string): readonly unknown[] {
  try {
    const fields = parseJson(payload);
    return Array.isArray(fields) ? fields : [];
  } catch {
    return [];
  }
}

/** Checks the fields, because anybody can compute the checksum. */
function contentOf(fields: readonly unknown[]): CursorContent | undefined {
  const [rank, id, issuedAt] = fields;
  if (typeof rank !== 'number' || typeof id !== 'string') return undefined;
  const position = [rank, id] as const;
  if (fields.length === 2) return { position };
  const isInstant = typeof issuedAt === 'number' && !Number.isNaN(new Date(issuedAt).getTime());
  return fields.length === 3 && isInstant ? { position, issuedAt } : undefined;
}

const EXPECTED = 'the nextCursor of the previous page, unchanged';

export function invalidCursor(
  cursor: string,
  reason: string,
  ground: ProblemGround = {},
): ProblemError {
  const fix = 'Start again without a cursor.';
  const received = cut(cursor);
  return new ProblemError(
    'invalid-cursor',
    `Invalid cursor '${received}': ${reason}. Expected ${EXPECTED}; start again without a cursor.`,
    {
      ...ground,
      mistakes: [{ in: 'query', path: ['cursor'], expected: EXPECTED, received, fix }],
    },
  );
}

/** Encodes a text as UTF-8, in base64url without padding (RFC 4648, section 5). */
export function toBase64Url(text: string): string {
  const bytes = text.replaceAll(/\P{ASCII}/gu, (character) =>
    String.fromCharCode(...new TextEncoder().encode(character)),
  );
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The text that `toBase64Url` encoded; undefined if it cannot have encoded any. */
export function fromBase64Url(text: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
