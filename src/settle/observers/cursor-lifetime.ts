import type { Observer } from '../observation.js';

/** TODO */
export const cursorLifetime: Observer<'cursor-lifetime'> = {
  wanted: 'TODO',
  observe: () => [],
};
