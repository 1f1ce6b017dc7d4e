import './parity.test.js';
