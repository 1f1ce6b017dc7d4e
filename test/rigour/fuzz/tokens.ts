import { Finding } from './finding.js';

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
