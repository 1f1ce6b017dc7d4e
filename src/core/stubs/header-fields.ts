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
  const wrong = (expected: string, received: unknown, fix?: string) => [
    { path: ['headers', name], expected, received, fix },
  ];
  if (!NAME.test(name)) return wrong('the name of a header field, such as Location', name);
  if (isFraming(name)) {
    return wrong('a header field that the mock does not set', text, 'Leave it out.');
  }
  return typeof text === 'string' && !isHeaderText(text) ? wrong(EXPECTED_HEADER_TEXT, text) : [];
}
