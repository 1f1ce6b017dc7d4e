/** Small enough to be put in place in one go, while others wait for a fraction of a second. */
export const LARGEST_CONTROL_BODY = 4 * 2 ** 20;

/** What to do instead of sending more. */
export const INSTEAD_OF_LARGER =
  'Send it in several requests, put the records into a fixture (--dataset), or call the library where the mock runs.';
