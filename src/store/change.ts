/** The members of a record that differ from those of the base's. */
export class ChangedMembers<T> {
  readonly members: Partial<T>;

  constructor(members: Partial<T>) {
    this.members = members;
  }
}

/**
 * The change of one record: the record that replaces the base's, the members that differ from it,
 * or `null` if it was removed.
 */
export type Change<T> = T | ChangedMembers<T> | null;

/** What a change has made of a record. */
export interface ChangedRecord {
  readonly id: string;
  readonly change: 'added' | 'updated' | 'removed';
}

/** What a change takes in bytes beside its record: its place among the others. */
const PLACE_BYTES = 100;
/** What a record takes for each character of its JSON; measured over records of all kinds. */
const BYTES_A_CHARACTER = 2;

/** A change as data, which JSON can write. */
export type WrittenChange<T> =
  | { readonly put: T }
  | { readonly update: string; readonly members: Partial<T> }
  | { readonly remove: string };

/** About what a changed record takes in bytes; `null` is one that was removed. */
export function bytesOfChange(change: object | null): number {
  if (change === null || change instanceof ChangedMembers) return PLACE_BYTES;
  return PLACE_BYTES + BYTES_A_CHARACTER * JSON.stringify(change).length;
}
