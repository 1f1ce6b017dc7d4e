/** The validator's extension of an operation: undocumented query parameters pass. */
export const UNKNOWN_ALLOWED = 'x-eov-allow-unknown-query-parameters';

/** Our extension of a schema: a number beyond a bound is replaced by the bound. */
export const CLAMPED = 'x-clamped';
