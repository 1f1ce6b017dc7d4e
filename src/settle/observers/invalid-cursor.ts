import type { Observer } from '../observation.js';

/** TODO */
export const invalidCursor: Observer<'invalid-cursor'> = {
  wanted: 'TODO',
  observe: () => [],
};
