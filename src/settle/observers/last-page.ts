import type { Observer } from '../observation.js';

/** TODO */
export const lastPage: Observer<'last-page'> = {
  wanted: 'TODO',
  observe: () => [],
};
