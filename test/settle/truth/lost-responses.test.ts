import { describeLost } from './lost.js';

// Every third position of a run, each in the next way; `npm run test:slow` runs the others.
describeLost(({ behaviour, position, way }) => {
  const isPlain = behaviour.name === 'the plain service';
  return isPlain && position % 3 === 0 && way === position % 4;
});
