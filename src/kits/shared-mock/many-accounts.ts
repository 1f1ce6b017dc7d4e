/** Far more than there are tests: an account takes hardly any memory before it is changed. */
export const MANY_ACCOUNTS = 1_000_000;
