/**
 * What a failed call means for the run: nothing, one of three failures in a row that break it off,
 * or the end at once.
 */
export type Consequence = 'none' | 'counted' | 'breaks-off';

/** A call that tells nothing: it was not answered, or the run is over. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(
    /** A clause without a full stop. */
    override readonly message: string,
    readonly consequence: Consequence,
  ) {
    super(message);
  }
}
