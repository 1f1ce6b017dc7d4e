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
