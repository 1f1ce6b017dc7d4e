import type { Observer } from '../observation.js';

/** TODO */
export const measurementOrder: Observer<'measurement-order'> = {
  wanted: 'TODO',
  observe: () => [],
};
