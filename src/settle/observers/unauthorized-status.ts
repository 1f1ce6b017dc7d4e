import type { Observer } from '../observation.js';

/** TODO */
export const unauthorizedStatus: Observer<'unauthorized-status'> = {
  wanted: 'TODO',
  observe: () => [],
};
