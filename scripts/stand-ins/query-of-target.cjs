// Replaces `url` where the validator parses the query of a target, with the same escaping: Node 24
// warns of `url.parse`.
const { URL } = require('node:url');

exports.parse = (/** @type {string} */ target) => ({
  query: new URL(target.replace(/^[^?#]*/, ''), 'http://localhost').search.slice(1),
});
