/** Refuses `markFailed(message)` of earlier versions; says what to call instead. */
export function refuseMarkFailed(): never {
  throw new TypeError(
    "markFailed(message) was removed; expected markTest({ outcome: 'failed', message }).",
  );
}
