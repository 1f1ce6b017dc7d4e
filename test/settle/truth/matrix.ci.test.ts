import { BEHAVIOURS } from './behaviours.js';
import { describeTruth } from './truth.js';

// One of each kind; `matrix.weekly.test.ts` has them all.
describeTruth((behaviour, run) => (BEHAVIOURS.indexOf(behaviour) + run.length) % 13 === 0);
