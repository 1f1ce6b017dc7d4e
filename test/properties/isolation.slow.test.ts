import './isolation.test.js';
