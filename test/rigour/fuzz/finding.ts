/** A response, or what became of the mock, that is not as it has to be. */
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

/** The nth token of a run, which nothing else contains. */
export function tokenOf(nth: number): string {
  return `fuzz-${nth}-${'abcdefghij'.repeat(3)}-${nth}-end`;
}

const TOKENS = /fuzz-\d+-(?:abcdefghij){3}-\d+-end/g;

/**
 * Throws a `Finding` if the text has data of another account of this run, of an earlier case too:
 * all that accounts are given has their token in it.
 */
export function refuseOtherTokens(text: string, own: string): void {
  const other = text.match(TOKENS)?.find((token) => token !== own);
  if (other === undefined) return;
  const at = text.indexOf(other);
  const shown = text.slice(Math.max(0, at - 200), at + 300);
  throw new Finding('no data of another account', shown);
}
