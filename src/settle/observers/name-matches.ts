import type { Observer } from '../observation.js';

/** TODO */
export const nameMatches: Observer<'name-matches'> = {
  wanted: 'TODO',
  observe: () => [],
};
