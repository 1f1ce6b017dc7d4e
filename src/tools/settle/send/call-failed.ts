/** Part of a report's `brokenOff` if the service refused the token: the command looks for it. */
export const TOKEN_REFUSED = 'the token was refused';

/** A request that got no usable response, or could not be sent. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(
    /** A clause without a full stop. */
    override readonly message: string,
    /** The effect on the run: none, one of three failures in a row that end it, or its end. */
    readonly consequence: 'none' | 'counted' | 'breaks-off',
    /** Whether the service failed or gave no response at all: then a read is sent again. */
    readonly loss?: 'failed' | 'unanswered',
  ) {
    super(message);
  }
}

export function interrupted(): CallFailed {
  return new CallFailed('it was interrupted', 'breaks-off');
}
