import { describeLost } from './lost.js';

// Every third position of a run, each by the next way: the others run by `npm run test:slow`.
describeLost(({ behaviour, position, way }) => {
  const isPlain = behaviour.name === 'the plain service';
  return isPlain && position % 3 === 0 && way === position % 4;
});
