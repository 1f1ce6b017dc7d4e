import './paging.test.js';
