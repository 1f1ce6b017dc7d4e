// Stands in the package for `url` where the validator asks for the query of a target, as it escapes
// that: Node 24 warns of each program that calls `url.parse`.
const { URL } = require('node:url');

exports.parse = (/** @type {string} */ target) => ({
  query: new URL(target.replace(/^[^?#]*/, ''), 'http://localhost').search.slice(1),
});
