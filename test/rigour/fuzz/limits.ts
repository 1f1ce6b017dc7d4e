/** What a fuzz never tries, and so says nothing of. */
export const LIMITS = [
  'The command starts in one way: default dataset and decisions, no control token, base path or state file, no rate limits.',
  'No HTTP/2, no TLS; flags, environment variables and fixtures get no generated values.',
  'The content of successes is left to the tests and the soak, and so are two accounts at once.',
  'Data of another account is recognised by its token.',
];
