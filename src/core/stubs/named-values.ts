import type { SchemaAt } from '../openapi/references.js';
import { placeholdersIn } from './placeholder-syntax.js';
import type { Stub } from './stub.js';

/** What a stub's placeholders name of a request, as the schemas of a document would. */
export function namedValues({ headers, body, responses }: Stub): SchemaAt {
  const named = new Set(['/body', '/query']);
  for (const { placeholder } of placeholdersIn(JSON.stringify([headers, body, responses]))) {
    if (!placeholder) continue;
    const { source, name } = placeholder;
    const names = source === 'body' ? name.split('.') : [name];
    // Those on the way are named too, but not what else they have.
    for (const nth of names.keys()) named.add(['', source, ...names.slice(0, nth + 1)].join('/'));
  }
  return (place, names) => (named.has(['', place, ...names].join('/')) ? {} : undefined);
}
