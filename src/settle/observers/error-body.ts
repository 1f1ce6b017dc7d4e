import type { Observer } from '../observation.js';

/** TODO */
export const errorBody: Observer<'error-body'> = {
  wanted: 'TODO',
  observe: () => [],
};
