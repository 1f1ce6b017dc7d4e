import type { FingerprintSum } from './fingerprint-sum.js';
import { deepFreeze } from './freeze.js';

/**
 * Records by number: kept as objects, or built from columns when they are read. Where they are listed
 * in an order, their ids rise from row to row.
 */
export interface Rows<T> {
  readonly size: number;
  /** The row of the record with this id. */
  rowOf(id: string): number | undefined;
  /** The frozen record of a row. */
  recordAt(row: number): T;
  /** The record of a row for a glance: valid until the next call, and cheaper. */
  peekAt(row: number): T;
  /** The rank of a row in an order, by the name of the order, if that is cheaper than the record. */
  readonly ranks?: Readonly<Record<string, (row: number) => number>>;
  /** The sum of all records, if it is known. */
  readonly sum?: FingerprintSum | undefined;
}

/** Rows that are kept as objects. Of several records with one id, the last counts. */
export function keepRows<T extends { readonly id: string }>(records: readonly T[]): Rows<T> {
  const kept = [...new Map(records.map((record) => [record.id, deepFreeze(record)])).values()];
  const rows = new Map(kept.map(({ id }, row) => [id, row]));
  // Nobody reads a row that is not below `size`.
  const recordAt = (row: number) => kept[row] as T;
  return { size: kept.length, rowOf: (id) => rows.get(id), recordAt, peekAt: recordAt };
}
