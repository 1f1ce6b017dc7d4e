/**
 * The global in which the running test leaves a function. If the test fails, the test environment
 * shows what the function returns.
 */
export const SHOW_ON_FAILURE = Symbol.for('usage-billing-mock: show on failure');
