/** The global under which the running test leaves a function whose text its environment shows if it fails. */
export const SHOW_ON_FAILURE = Symbol.for('usage-billing-mock: show on failure');
