import './listing.test.js';
