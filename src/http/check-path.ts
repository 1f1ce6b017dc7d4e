import type { InvalidValue } from '../billing/problems.js';

/** Every value in the path whose percent-encoding cannot be undone. */
export function checkPath(template: string, path: string): InvalidValue[] {
  const names = template.split('/');
  return path.split('/').flatMap((received, index) =>
    isDecodable(received)
      ? []
      : [
          {
            in: 'path' as const,
            pointer: `/${names[index]?.replaceAll(/[{}]/g, '')}`,
            expected: 'percent-encoded UTF-8',
            received,
            detail: 'Encode the value as encodeURIComponent does: a percent sign itself is %25.',
          },
        ],
  );
}

function isDecodable(segment: string): boolean {
  try {
    // The result is used, or a bundler takes the call for one that does nothing.
    return typeof decodeURIComponent(segment) === 'string';
  } catch {
    return false;
  }
}

/** The values in the path by name, as they were sent. */
export function valuesOfPath(template: string, path: string): Readonly<Record<string, string>> {
  const values = path.split('/');
  const named = template
    .split('/')
    .flatMap((part, index) =>
      part.startsWith('{') ? [[part.slice(1, -1), values[index] ?? '']] : [],
    );
  return Object.fromEntries(named);
}
