import type { AccountControl } from '../../src/index.js';

const KB = 1_024;
const MOST = 100_000;
const EACH = 4_000;

/** Records that leave room for only this many more kB, where nothing is kept yet. */
export function fillingRecords(left: number): { readonly id: string; readonly name: string }[] {
  const records = [];
  for (let rest = MOST - left; rest > 0; rest -= EACH) {
    // The other members and the JSON begin the last kB.
    const name = 'n'.repeat(Math.min(rest, EACH) * KB - 500);
    records.push({ id: `filling-${Math.ceil(rest / EACH)}`, name });
  }
  return records;
}

/** Gives an account of an unused server so much that all accounts may keep only `left` more. */
export function fillAllBut(left: number, { customers }: AccountControl): void {
  for (const record of fillingRecords(left)) customers.put(record);
}

/** What a refusal says when there is not enough room for `what`. */
export function fullFor(what: string): RegExp {
  return new RegExp(
    `This server keeps changed records, faults, stubs and snapshots that count [\\d,]+ \\(one for each kB\\), and ${what} would add [\\d,]+; expected at most 100,000 in all\\. Drop snapshots, remove stubs and faults, or reset or close accounts that you no longer need\\.$`,
  );
}
