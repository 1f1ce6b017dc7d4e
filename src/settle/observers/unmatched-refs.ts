import type { Observer } from '../observation.js';

/** TODO */
export const unmatchedRefs: Observer<'unmatched-refs'> = {
  wanted: 'TODO',
  needsWrites: true,
  observe: () => [],
};
