/**
 * The global in which the running test leaves a function; if it fails, its environment shows the
 * result.
 */
export const SHOW_ON_FAILURE = Symbol.for('usage-billing-mock: show on failure');
