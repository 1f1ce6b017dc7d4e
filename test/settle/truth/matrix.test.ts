import { BEHAVIOURS } from './behaviours.js';
import { describeTruth } from './truth.js';

// One of each kind: the others run by `npm run test:slow`.
describeTruth((behaviour, way) => (BEHAVIOURS.indexOf(behaviour) + way.length) % 13 === 0);
