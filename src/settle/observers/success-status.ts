import type { Observer } from '../observation.js';

/** TODO */
export const successStatus: Observer<'success-status'> = {
  wanted: 'TODO',
  needsWrites: true,
  observe: () => [],
};
