import type { Observer } from '../observation.js';

/** TODO */
export const rateLimit: Observer<'rate-limit'> = {
  wanted: 'TODO',
  observe: () => [],
};
