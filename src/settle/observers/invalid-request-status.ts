import type { Observer } from '../observation.js';

/** TODO */
export const invalidRequestStatus: Observer<'invalid-request-status'> = {
  wanted: 'TODO',
  observe: () => [],
};
