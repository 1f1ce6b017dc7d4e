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

/** The token of a request, which follows the scheme. */
export function tokenIn(fields: readonly HeaderField[]): string[] {
  return fieldIn(fields, 'authorization')?.split(' ').slice(-1) ?? [];
}
