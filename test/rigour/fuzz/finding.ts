/** An answer, or what became of the mock, that is not as it has to be. */
export class Finding extends Error {
  override name = 'Finding';
  readonly expected: string;
  readonly received: string;
  /** What was sent, as lines for a shell, the last of which brought it about. */
  readonly pasted: readonly string[];

  constructor(expected: string, received: string, pasted: readonly string[] = []) {
    super(`expected ${expected}, received ${received}`);
    this.expected = expected;
    this.received = received;
    this.pasted = pasted;
  }
}

/** The same finding, with what was sent. */
export function withPasted(thrown: unknown, pasted: readonly string[]): unknown {
  if (!(thrown instanceof Finding) || thrown.pasted.length > 0) return thrown;
  return new Finding(thrown.expected, thrown.received, pasted);
}
