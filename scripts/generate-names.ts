// Lists the names in both documents, so that redaction needs neither of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The names of path segments, parameters and members in a part of a document. */
function namesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const {
    paths: templates = {},
    properties = {},
    in: place,
    name,
  } = part as Record<string, object>;
  return [
    ...Object.keys(templates).flatMap((template) => template.split('/')),
    ...Object.keys(properties),
    ...(place === undefined ? [] : [String(name)]),
    ...Object.values(part).flatMap(namesIn),
  ];
}

const names = ['openapi.yaml', 'control.openapi.yaml']
  .flatMap((file) => namesIn(parse(readFileSync(file, 'utf8'))))
  .filter((name) => /^[\w-]{6,}$/.test(name));

writeFileSync(
  'src/generated/names.ts',
  `// Generated from openapi.yaml and control.openapi.yaml by npm run generate; not to be edited.

/** The names of six characters and more of paths, parameters and members in both documents. */
export const NAMES =
  '${[...new Set(names)].sort().join(' ')}';
`,
);
