import type { Observer } from '../observation.js';

/** TODO */
export const optionalFields: Observer<'optional-fields'> = {
  wanted: 'TODO',
  observe: () => [],
};
