import { BEHAVIOURS } from './behaviours.js';
import { describeTruth } from './truth.js';

// One of each kind; `matrix.weekly.test.ts` has them all.
describeTruth((behaviour, way) => (BEHAVIOURS.indexOf(behaviour) + way.length) % 13 === 0);
