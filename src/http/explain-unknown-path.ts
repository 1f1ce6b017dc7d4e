import type { Request } from 'express';
import { ProblemError } from '../billing/problems.js';
import type { RouteTable } from './route-table.js';

/** The refusal of a path that the document does not have; says which mistake it looks like. */
export function explainUnknownPath(
  request: Request,
  path: string,
  table: RouteTable,
): ProblemError {
  const guess = GUESSES.find(({ looksLike }) => looksLike(path, table));
  const advice = guess?.advice(path) ?? listOperations(request, table);
  return new ProblemError(
    'unknown-path',
    `There is no path '${request.baseUrl}${path}'. ${advice}`,
  );
}

interface Guess {
  readonly looksLike: (path: string, table: RouteTable) => boolean;
  readonly advice: (path: string) => string;
}

const GUESSES: readonly Guess[] = [
  {
    looksLike: (path, table) =>
      path.includes('//') && table.match(singleSlashes(path)) !== undefined,
    advice: (path) =>
      `Two slashes stand side by side; expected '${singleSlashes(path)}'. The usual cause is a base URL that ends with a slash: take that slash off. A slash within a value is sent as %2F.`,
  },
  {
    looksLike: (path, { paths }) =>
      paths.some(({ template }) => template.replace(/\{[^}]+\}$/, '') === path),
    advice: (path) =>
      `The value after '${path}' is empty. Check what the client puts into the path.`,
  },
  {
    looksLike: (path, table) => path.endsWith('/') && table.match(path.slice(0, -1)) !== undefined,
    advice: (path) =>
      `It ends with a slash; expected '${path.slice(0, -1)}'. Paths are matched strictly: take the slash off.`,
  },
  {
    looksLike: (path, table) => table.match(path.toLowerCase()) !== undefined,
    advice: () => 'Paths are matched case-sensitively: write the fixed parts in lower case.',
  },
];

function singleSlashes(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/');
}

const MOST_OPERATIONS = 10;

function listOperations(request: Request, { paths }: RouteTable): string {
  const operations = paths.flatMap(({ template, routes }) =>
    [...routes.keys()]
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${template}`),
  );
  if (operations.length > MOST_OPERATIONS) {
    return `Expected one of ${paths.map(({ template }) => request.baseUrl + template).join(', ')}.`;
  }
  const host = request.headers.host ?? '127.0.0.1:4010';
  return `Expected one of ${operations.join(', ')}. Try: curl -H 'Authorization: Bearer my-token' 'http://${host}/measurements?limit=2'`;
}
