import type { Observer } from '../observation.js';

/** TODO */
export const undocumentedFields: Observer<'undocumented-fields'> = {
  wanted: 'TODO',
  observe: () => [],
};
