import type { Observer } from '../observation.js';

/** TODO */
export const unknownQueryParameters: Observer<'unknown-query-parameters'> = {
  wanted: 'TODO',
  observe: () => [],
};
