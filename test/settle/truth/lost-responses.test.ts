import { describeLost, MOST_POSITIONS } from './lost.js';

// Every position of a run once, each by the next way: the others run by `npm run test:slow`.
describeLost(({ behaviour, position }, index) => {
  const isPlain = behaviour.name === 'the plain service';
  return isPlain && position % 2 === 0 && Math.floor(index / MOST_POSITIONS) === (position / 2) % 4;
});
