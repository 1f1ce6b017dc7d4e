// Generated from control.openapi.yaml by npm run generate; not to be edited.

/** Every kind of fault, with the phase in which it fires unless its request names one. */
export const DEFAULT_PHASES = {
  status: 'before',
  delay: 'before',
  hold: 'before',
  reset: 'before',
  empty: 'before',
  'malformed-json': 'after',
  truncated: 'after',
  slow: 'after',
  respond: 'before',
} as const;
