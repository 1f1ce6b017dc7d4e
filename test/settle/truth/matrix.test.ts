import { BEHAVIOURS } from './behaviours.js';
import { describeTruth } from './truth.js';

// One of each kind; `npm run test:slow` runs the others.
describeTruth((behaviour, way) => (BEHAVIOURS.indexOf(behaviour) + way.length) % 13 === 0);
