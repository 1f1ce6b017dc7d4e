/** The global in which the running test leaves its story, which the test environment shows. */
export const STORY = Symbol.for('usage-billing-mock: story');
