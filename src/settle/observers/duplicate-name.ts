import type { Observer } from '../observation.js';

/** TODO */
export const duplicateName: Observer<'duplicate-name'> = {
  wanted: 'TODO',
  observe: () => [],
};
