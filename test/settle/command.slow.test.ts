import './command.test.js';
