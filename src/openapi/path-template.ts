/** Whether a path, still encoded, matches a template whose parameters are whole segments. */
export function matchesTemplate(template: string, path: string): boolean {
  const received = path.split('/');
  const parts = template.split('/');
  const fits = (part: string, index: number) =>
    isParameter(part) ? received[index] !== '' : part === received[index];
  return parts.length === received.length && parts.every(fits);
}

/** Whether a path can match both templates. */
export function overlaps(one: string, other: string): boolean {
  const parts = one.split('/');
  const others = other.split('/');
  const canMeet = (part: string, index: number) => {
    const against = others[index] ?? '';
    if (isParameter(part)) return against !== '';
    return isParameter(against) ? part !== '' : part === against;
  };
  return parts.length === others.length && parts.every(canMeet);
}

/** The template without the names of its parameters: templates with one shape match the same paths. */
export function shapeOf(template: string): string {
  return template
    .split('/')
    .map((part) => (isParameter(part) ? '{}' : part))
    .join('/');
}

/** Puts the more concrete of two templates first, by the first segment in which they differ. */
export function byConcreteness(one: string, other: string): number {
  const others = other.split('/');
  for (const [index, part] of one.split('/').entries()) {
    const difference = Number(isParameter(part)) - Number(isParameter(others[index] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The names of the parameters, from left to right. */
export function parametersOf(template: string): string[] {
  return template
    .split('/')
    .filter(isParameter)
    .map((part) => part.slice(1, -1));
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

/** The values in a path by the names that the document's template gives them, as they were sent. */
export function valuesOfPath(template: string, path: string): Readonly<Record<string, string>> {
  const values = path.split('/');
  const named: Record<string, string> = {};
  for (const [index, part] of template.split('/').entries()) {
    if (part.startsWith('{')) named[part.slice(1, -1)] = values[index] ?? '';
  }
  return named;
}
