import type { Observer } from '../observation.js';

/** TODO */
export const fractionalLimit: Observer<'fractional-limit'> = {
  wanted: 'TODO',
  observe: () => [],
};
