import { isObject } from '../values/json-value.js';
import { NOT_SHOWN } from '../values/received-value.js';
import type { SchemaAt } from './references.js';

/** Says whether the member or item that the names lead to is documented. */
export type IsDocumented = (names: readonly string[]) => boolean;

/** Values in a part of a request that the schemas document, and do not call passwords. */
export function documentedBy(schemaAt: SchemaAt, place: 'query' | 'body'): IsDocumented {
  return (names) => {
    // A query has no values within values.
    const schema = schemaAt(place, place === 'query' ? names.slice(0, 1) : names);
    return schema !== undefined && schema.format !== 'password';
  };
}

/** An undocumented name stands only if it reads as one: anything may be a name in JSON or a query. */
const NAME = /^[\w$.:[\]-]{1,64}$/;

/**
 * A copy of a value with `[not shown]` in place of every member and item that is not documented;
 * `names` lead to the value.
 */
export function documentedPart(
  value: unknown,
  isDocumented: IsDocumented,
  names: readonly string[] = [],
): unknown {
  if (!isDocumented(names)) return NOT_SHOWN;
  if (Array.isArray(value))
    return value.map((item, nth) => documentedPart(item, isDocumented, [...names, String(nth)]));
  if (!isObject(value)) return names.length === 0 ? NOT_SHOWN : value;
  const members = Object.entries(value).map(([name, member]) => {
    // A number names an item, and this is an object.
    const isIndex = /^\d+$/.test(name);
    const part = isIndex ? NOT_SHOWN : documentedPart(member, isDocumented, [...names, name]);
    return [part === NOT_SHOWN ? shownName(name) : name, part];
  });
  return Object.fromEntries(members);
}

/** A query or form with `[not shown]` in place of every value whose name is not documented. */
export function documentedQuery(query: string, isDocumented: IsDocumented): string {
  return query
    .split('&')
    .map((pair) => {
      const end = pair.indexOf('=');
      const written = end < 0 ? pair : pair.slice(0, end);
      const [name = ''] = new URLSearchParams(`${written}=`).keys();
      if (pair === '' || isDocumented([name])) return pair;
      return end < 0 ? shownName(name) : `${shownName(name)}=${NOT_SHOWN}`;
    })
    .join('&');
}

export function shownName(name: string): string {
  return NAME.test(name) ? name : NOT_SHOWN;
}
