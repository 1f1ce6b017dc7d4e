/** What bounds the bytes that changed records may take together; whoever builds a collection gives it. */
export interface Budget {
  /** Counts bytes that were added, or removed if negative. */
  add(bytes: number): void;
  /** Throws if so many more bytes are not allowed; `what` says what they are for. */
  admit(bytes: number, what: string): void;
}
