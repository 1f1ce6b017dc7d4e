import type { Observer } from '../observation.js';

/** TODO */
export const deletedEventsOrder: Observer<'deleted-events-order'> = {
  wanted: 'TODO',
  needsWrites: true,
  observe: () => [],
};
