import { REDACTED, SECRET_NAME } from './hide-credentials.js';

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The fields by lower-case name; repeated fields are joined. */
export function byName(fields: readonly HeaderField[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const { name, value } of fields) {
    const lowerCase = name.toLowerCase();
    const before = headers.get(lowerCase);
    headers.set(lowerCase, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

export function headerFieldsOf(headerLines: string): HeaderField[] {
  const lines = headerLines.split('\n');
  return Array.from({ length: Math.floor(lines.length / 2) }, (_, nth) => ({
    name: lines[2 * nth] ?? '',
    value: lines[2 * nth + 1] ?? '',
  }));
}

/** The first value of the field; `name` is in lower case. */
export function fieldIn(fields: readonly HeaderField[], name: string): string | undefined {
  return fields.find((field) => field.name.toLowerCase() === name)?.value;
}

/** Fields that name a host alone; a URL's userinfo is redacted in any text. */
export function withoutUserinfo({ name, value }: HeaderField): HeaderField {
  if (!name.toLowerCase().endsWith('host')) return { name, value };
  const hidden = (part: string) => part.replace(/^.*@/, `${REDACTED}@`);
  return { name, value: value.replaceAll(/[^\s,/]+/g, hidden) };
}

/** The credentials in header fields, as a whole and without their schemes and the names of cookies. */
export function credentialsIn(fields: readonly HeaderField[]): string[] {
  return fields.flatMap(({ name, value }) => {
    if (!SECRET_NAME.test(name)) return [];
    if (!/cookie$/i.test(name)) return [value, ...value.split(' ').slice(-1)];
    return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  });
}
