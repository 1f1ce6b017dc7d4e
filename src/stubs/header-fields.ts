import type { Mistake } from '../errors/mistake.js';

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Header fields that say how the answer is sent, which the mock decides itself. */
const FRAMING = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** What Node can send in a header field, without control characters. */
const TEXT = /^[\x20-\x7e\xa0-\xff]*$/;

/** Whether a header field can have the text. */
export function isHeaderText(text: string): boolean {
  return TEXT.test(text);
}

/** In words, what `isHeaderText` accepts. */
export const EXPECTED_HEADER_TEXT = 'characters of Latin-1 without control characters';

/** What is wrong with a header field of a stub. */
export function wrongHeader(name: string, text: unknown): Mistake[] {
  const wrong = (expected: string, received: unknown) => [
    { path: ['headers', name], expected, received },
  ];
  if (!NAME.test(name)) return wrong('the name of a header field, such as Location', name);
  if (FRAMING.test(name)) return wrong('no header field that says how the answer is sent', name);
  return typeof text === 'string' && !isHeaderText(text) ? wrong(EXPECTED_HEADER_TEXT, text) : [];
}

/** The Content-Type among header fields, whatever the case of its name. */
export function contentTypeOf(headers: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

/** Whether a body of this Content-Type is written as JSON; so is one that has none. */
export function isJson(contentType: unknown): boolean {
  return contentType === undefined || /^application\/(.*\+)?json *(;|$)/i.test(String(contentType));
}
