/** A request that tells nothing: it had no telling response, or the run is over. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(
    /** A clause without a full stop. */
    override readonly message: string,
    /**
     * What it means for the run: nothing, one of three failures in a row that break it off, or the
     * end at once.
     */
    readonly consequence: 'none' | 'counted' | 'breaks-off',
  ) {
    super(message);
  }
}
