/** Part of a report's `brokenOff` if the service refused the token: the command looks for it. */
export const TOKEN_REFUSED = 'the token was refused';

/** A request that got no usable response, or could not be sent. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** True if the response was lost, so that the request may be sent again. */
  readonly isLoss: boolean;
  /** For a loss: true if there was a response, kept as a sample. */
  readonly hasSample: boolean;

  constructor(
    /** A clause without a full stop. */
    override readonly message: string,
    /** The effect on the run: none, one of three failures in a row that end it, or its end. */
    readonly consequence: 'none' | 'counted' | 'breaks-off',
    { isLoss = false, hasSample = false } = {},
  ) {
    super(message);
    this.isLoss = isLoss;
    this.hasSample = hasSample;
  }
}
