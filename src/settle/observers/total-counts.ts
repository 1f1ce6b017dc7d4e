import type { Observer } from '../observation.js';

/** TODO */
export const totalCounts: Observer<'total-counts'> = {
  wanted: 'TODO',
  observe: () => [],
};
