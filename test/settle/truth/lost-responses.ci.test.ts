import { describeLost } from './lost.js';

// Every third position of a run, each in the next way; `lost-responses.weekly.test.ts` has them all.
describeLost(({ behaviour, position, way }) => {
  const isPlain = behaviour.name === 'the plain service';
  return isPlain && position % 3 === 0 && way === position % 4;
});
