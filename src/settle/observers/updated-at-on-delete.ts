import type { Observer } from '../observation.js';

/** TODO */
export const updatedAtOnDelete: Observer<'updated-at-on-delete'> = {
  wanted: 'TODO',
  needsWrites: true,
  observe: () => [],
};
