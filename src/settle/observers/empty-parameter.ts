import type { Observer } from '../observation.js';

/** TODO */
export const emptyParameter: Observer<'empty-parameter'> = {
  wanted: 'TODO',
  observe: () => [],
};
