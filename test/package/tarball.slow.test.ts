import './tarball.test.js';
