import type { Mistake } from '../values/mistake.js';

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const FRAMING = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Whether a header field says how a message is sent, which is decided where that is done. */
export function isFraming(name: string): boolean {
  return FRAMING.test(name);
}

/** What Node can send in a header field, without control characters. */
const TEXT = /^[\x20-\x7e\xa0-\xff]*$/;

/** Whether a header field can have the text. */
export function isHeaderText(text: string): boolean {
  return TEXT.test(text);
}

/** In words, what `isHeaderText` accepts. */
export const EXPECTED_HEADER_TEXT = 'Latin-1 characters without control characters';

/** What is wrong with a header field of a stub. */
export function wrongHeader(name: string, text: unknown): Mistake[] {
  const wrong = (expected: string, received: unknown) => [
    { path: ['headers', name], expected, received },
  ];
  if (!NAME.test(name)) return wrong('the name of a header field, such as Location', name);
  if (isFraming(name)) return wrong('no header field that says how the response is sent', name);
  return typeof text === 'string' && !isHeaderText(text) ? wrong(EXPECTED_HEADER_TEXT, text) : [];
}

/** The Content-Type among header fields, whatever the case of its name. */
export function contentTypeOf(headers: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

/**
 * Whether a body of this Content-Type is written as JSON; so is one that has none. Not with a comma:
 * a browser goes by what follows it.
 */
export function isJson(contentType: unknown): boolean {
  const json = /^application\/([^,;]*\+)?json *(;[^,]*)?$/i;
  return contentType === undefined || json.test(String(contentType));
}

/**
 * What a browser runs as a page has an origin of its own, not that of the mock: its scripts reach
 * neither the control plane nor what the browser keeps for the mock.
 */
const SANDBOX = 'sandbox allow-forms allow-modals allow-popups allow-scripts';

/** The header fields with the sandbox. A policy among them stays in force: a browser obeys both. */
export function sandboxed(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isPolicy = ([name]: readonly [string, string]) =>
    name.toLowerCase() === 'content-security-policy';
  const fields = Object.entries(headers);
  const policies = [...fields.filter(isPolicy).map(([, policy]) => policy), SANDBOX];
  return {
    ...Object.fromEntries(fields.filter((field) => !isPolicy(field))),
    'Content-Security-Policy': policies.join(', '),
  };
}

/** Whether a body of this Content-Type is HTML or XML. */
export function isMarkup(contentType: unknown): boolean {
  return /\b(x?html|xml)\b/i.test(String(contentType));
}

/** Statuses whose responses have no body (RFC 9110); a `Response` must not be given one. */
export const WITHOUT_BODY: readonly unknown[] = [204, 205, 304];
