import { describeTruth } from './truth.js';

describeTruth(() => true);
