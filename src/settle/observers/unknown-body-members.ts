import type { Observer } from '../observation.js';

/** TODO */
export const unknownBodyMembers: Observer<'unknown-body-members'> = {
  wanted: 'TODO',
  needsWrites: true,
  observe: () => [],
};
