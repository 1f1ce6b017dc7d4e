/** The global in which the test environment collects the stories of the running test, one of each mock. */
export const STORIES = Symbol.for('usage-billing-mock: stories');

export interface WithStories {
  [STORIES]?: (() => string)[];
}
