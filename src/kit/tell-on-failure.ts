/** Where the running test leaves what its environment is to show if it fails: a function to a text. */
export const TELL_ON_FAILURE = Symbol.for('usage-billing-mock: tell on failure');
