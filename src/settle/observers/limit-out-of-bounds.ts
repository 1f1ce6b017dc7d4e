import type { Observer } from '../observation.js';

/** TODO */
export const limitOutOfBounds: Observer<'limit-out-of-bounds'> = {
  wanted: 'TODO',
  observe: () => [],
};
