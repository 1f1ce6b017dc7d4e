import type { Observer } from '../observation.js';

/** TODO */
export const repeatDelete: Observer<'repeat-delete'> = {
  wanted: 'TODO',
  needsWrites: true,
  observe: () => [],
};
