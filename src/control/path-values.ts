/** The values in a path by the names that the document's template gives them, as they were sent. */
export function valuesOfPath(template: string, path: string): Readonly<Record<string, string>> {
  const values = path.split('/');
  const named = template
    .split('/')
    .flatMap((part, index) =>
      part.startsWith('{') ? [[part.slice(1, -1), values[index] ?? '']] : [],
    );
  return Object.fromEntries(named);
}
