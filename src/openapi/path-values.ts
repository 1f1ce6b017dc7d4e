/** The values in a path by the names that the document's template gives them, as they were sent. */
export function valuesOfPath(template: string, path: string): Readonly<Record<string, string>> {
  const values = path.split('/');
  const named: Record<string, string> = {};
  for (const [index, part] of template.split('/').entries()) {
    if (part.startsWith('{')) named[part.slice(1, -1)] = values[index] ?? '';
  }
  return named;
}
