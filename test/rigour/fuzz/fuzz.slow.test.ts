import './fuzz.test.js';
