import { IS_CHANGED } from './ask-service.js';
import { describeLost } from './lost.js';

// Every third position of a run, each in the next way; `lost-responses.weekly.test.ts` has them all.
describeLost(({ behaviour, position, way }) => {
  if (position % 3 !== 0) return false;
  return IS_CHANGED || (behaviour.name === 'the plain service' && way === position % 4);
});
