import './own-mock.test.js';
