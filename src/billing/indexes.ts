import type { Indexes } from '../store/index-rows.js';
import type { ResourceName, Resources } from './resources.js';

/** The indexes in which the operations look records up, by collection. */
export const INDEXES: { readonly [Name in ResourceName]: Indexes<Resources[Name]> } = {
  customers: {
    name: ({ name }) => present(name),
    'folded name': ({ name }) => present(name).map(foldCase),
    'name or alias': ({ name, aliases = [] }) => [...present(name), ...aliases],
    externalId: ({ externalId }) => present(externalId),
  },
  contracts: {},
  measurements: {},
  events: { ref: ({ ref }) => present(ref) },
};

/** The text with upper and lower case made the same. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

function present(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}
