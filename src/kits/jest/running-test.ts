/**
 * The global in which the running test leaves its `EndOfTest`, for the test environment, which knows
 * how the test ended.
 */
export const RUNNING_TEST = Symbol.for('usage-billing-mock: running test');
