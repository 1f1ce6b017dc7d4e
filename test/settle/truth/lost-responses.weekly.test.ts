import { describeLost } from './lost.js';

describeLost(() => true);
