/** A header field of a request or an answer. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

const CREDENTIALS = /^(proxy-)?authorization$|^(set-)?cookie$|token/i;

/** The fields by name in lower case, repeated ones joined; credentials are redacted. */
export function headersOf(headerLines: string): Record<string, string> {
  const headers = new Map<string, string>();
  for (const field of headerFieldsOf(headerLines)) {
    const name = field.name.toLowerCase();
    const { value } = describeField(field);
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** The header fields as they were sent. */
export function headerFieldsOf(headerLines: string): HeaderField[] {
  const lines = headerLines.split('\n');
  return Array.from({ length: Math.floor(lines.length / 2) }, (_, nth) => ({
    name: lines[2 * nth] ?? '',
    value: lines[2 * nth + 1] ?? '',
  }));
}

/** A header field without its secret. */
export function describeField({ name, value }: HeaderField): HeaderField {
  return { name, value: CREDENTIALS.test(name) ? redacted(value) : value };
}

/** Credentials without their secret: their scheme, if it is a known one. */
function redacted(credentials: string): string {
  const [, scheme] = /^(bearer|basic|digest) /i.exec(credentials) ?? [];
  return scheme === undefined ? '[redacted]' : `${scheme} [redacted]`;
}
