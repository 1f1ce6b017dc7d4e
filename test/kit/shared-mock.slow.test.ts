import './shared-mock.test.js';
