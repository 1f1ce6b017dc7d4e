import type { Observer } from '../observation.js';

/** TODO */
export const repeatEventDelete: Observer<'repeat-event-delete'> = {
  wanted: 'TODO',
  needsWrites: true,
  observe: () => [],
};
