import './mock-in-page.test.js';
