/** An id that nothing of the account bears; nothing was changed. */
export class UnknownIdError extends Error {
  override readonly name = 'UnknownIdError';
}
