import type { Observer } from '../observation.js';

/** TODO */
export const unknownToken: Observer<'unknown-token'> = {
  wanted: 'TODO',
  observe: () => [],
};
