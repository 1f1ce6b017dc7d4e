/** What is said of a token that was accepted before, or never. */
export const TOKEN_REFUSED = 'the token was refused';

/** A request that tells nothing: it had no telling response, or the run is over. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** True if the response was lost on its way: the request may have another one later. */
  readonly isLoss: boolean;
  /** True if there was a response, of which there is a sample. */
  readonly hasSample: boolean;

  constructor(
    /** A clause without a full stop. */
    override readonly message: string,
    /** What it means for the run: nothing, one of three failures in a row that end it, or its end. */
    readonly consequence: 'none' | 'counted' | 'breaks-off',
    { isLoss = false, hasSample = false } = {},
  ) {
    super(message);
    this.isLoss = isLoss;
    this.hasSample = hasSample;
  }
}
