import type { Observer } from '../observation.js';

/** TODO */
export const unknownIdentifierStatus: Observer<'unknown-identifier-status'> = {
  wanted: 'TODO',
  observe: () => [],
};
