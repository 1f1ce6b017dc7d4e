import { ProblemError } from '../../core/errors/problem-error.js';

/** The most bytes that all requests under way together keep while they arrive or wait. */
const MAX_BYTES = 64 * 2 ** 20;

/** Counts what requests under way keep, so that slow, held and delayed ones leave room for others. */
export class BytesUnderWay {
  #bytes = 0;

  /** Counts the bytes, unless that would be too many; returns whether it did. */
  take(bytes: number): boolean {
    const isAdmitted = this.#bytes + bytes <= MAX_BYTES;
    if (isAdmitted) this.add(bytes);
    return isAdmitted;
  }

  /** Counts the bytes, even if that is too many. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}

export function tooMuchUnderWay(): ProblemError {
  return new ProblemError(
    'too-much-under-way',
    `The requests under way together keep ${MAX_BYTES / 2 ** 20} MB in memory, which is the maximum. Send this request again when fewer of them are held, delayed or still arriving.`,
  );
}
