import type { Mistake } from '../values/mistake.js';

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const FRAMING = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Whether a header field describes how the message is sent, which the server decides. */
export function isFraming(name: string): boolean {
  return FRAMING.test(name);
}

/** What Node can send in a header field, without control characters. */
const TEXT = /^[\x20-\x7e\xa0-\xff]*$/;

export function isHeaderText(text: string): boolean {
  return TEXT.test(text);
}

export const EXPECTED_HEADER_TEXT = 'Latin-1 characters without control characters';

/** Finds mistakes in a header field that a stub or fault gives a response. */
export function wrongHeader(name: string, text: unknown): Mistake[] {
  const wrong = (expected: string, received: unknown) => [
    { path: ['headers', name], expected, received },
  ];
  if (!NAME.test(name)) return wrong('the name of a header field, such as Location', name);
  if (isFraming(name)) return wrong('no header field that says how the response is sent', name);
  return typeof text === 'string' && !isHeaderText(text) ? wrong(EXPECTED_HEADER_TEXT, text) : [];
}

export function contentTypeOf(headers: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

/**
 * Whether a body of this Content-Type, or of none, is written as JSON. A type with a comma does not
 * count, because a browser goes by what follows the comma.
 */
export function isJson(contentType: unknown): boolean {
  const json = /^application\/([^,;]*\+)?json *(;[^,]*)?$/i;
  return contentType === undefined || json.test(String(contentType));
}

export function isMarkup(contentType: unknown): boolean {
  return /\b(x?html|xml)\b/i.test(String(contentType));
}

/** Statuses whose responses have no body (RFC 9110); `new Response` throws if it gets one. */
export const WITHOUT_BODY: readonly unknown[] = [204, 205, 304];
