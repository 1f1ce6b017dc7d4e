import { IS_CHANGED, isInTurn } from './ask-service.js';
import { BEHAVIOURS } from './behaviours.js';
import { describeTruth } from './truth.js';

// One of each kind, and some that show little; `matrix.weekly.test.ts` has them all.
const SMALL =
  /^the plain|^counts (five too|what is on)|^has (one m|no m|nextCursor null|errors in HTML)|^answers an unknown cursor with 422/;
describeTruth((behaviour, run) => {
  const at = BEHAVIOURS.indexOf(behaviour);
  if (IS_CHANGED) return isInTurn(at, run);
  return (at + run.length) % 13 === 0 || (run === 'GET alone' && SMALL.test(behaviour.name));
});
