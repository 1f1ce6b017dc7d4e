/**
 * Whether an encoded path matches a template. Given another template as the path, whether this one
 * matches every path that the other matches.
 */
export function matchesTemplate(template: string, path: string): boolean {
  return matchSegments(template.split('/'), path.split('/'));
}

/** A parameter matches one segment that is not empty, encoded slashes (`%2F`) included. */
export function matchSegments(parts: readonly string[], received: readonly string[]): boolean {
  const isMatch = (part: string, index: number) =>
    isParameter(part) ? received[index] !== '' : part === received[index];
  return parts.length === received.length && parts.every(isMatch);
}

/**
 * The template without the names of its parameters. Templates of the same shape match the same
 * paths.
 */
export function shapeOf(template: string): string {
  return template
    .split('/')
    .map((part) => (isParameter(part) ? '{}' : part))
    .join('/');
}

/** Puts the more concrete of two templates first, by the first segment where only one is fixed. */
export function byConcreteness(one: string, other: string): number {
  const others = other.split('/');
  for (const [index, part] of one.split('/').entries()) {
    const difference = Number(isParameter(part)) - Number(isParameter(others[index] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

export function parametersOf(template: string): string[] {
  return template
    .split('/')
    .filter(isParameter)
    .map((part) => part.slice(1, -1));
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

/** The values of a path's parameters by name, still encoded. */
export function valuesOfPath(template: string, path: string): Readonly<Record<string, string>> {
  const values = path.split('/');
  const named: Record<string, string> = {};
  for (const [index, part] of template.split('/').entries()) {
    if (part.startsWith('{')) named[part.slice(1, -1)] = values[index] ?? '';
  }
  return named;
}
