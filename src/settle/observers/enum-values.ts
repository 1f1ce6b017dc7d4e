import type { Observer } from '../observation.js';

/** TODO */
export const enumValues: Observer<'enum-values'> = {
  wanted: 'TODO',
  observe: () => [],
};
