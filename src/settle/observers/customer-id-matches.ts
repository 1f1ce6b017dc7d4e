import type { Observer } from '../observation.js';

/** TODO */
export const customerIdMatches: Observer<'customer-id-matches'> = {
  wanted: 'TODO',
  observe: () => [],
};
