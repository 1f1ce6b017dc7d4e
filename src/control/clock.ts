/** The time of one account. */
export interface Clock {
  now(): Date;
}

/** A clock that shows the time of the machine. */
export function createClock(): Clock {
  return { now: () => new Date(Date.now()) };
}
