/** Texts that were typed and not saved, by account, collection and id: nothing but their owner drops them. */
const drafts = new Map<string, string>();

/** Where the text of a record is kept. */
export interface DraftOf {
  readonly account: string;
  readonly path: string;
  /** The record; empty for a new one. */
  readonly id: string;
}

/** The text that was typed, if it was not saved. */
export function draftOf(place: DraftOf): string | undefined {
  return drafts.get(keyOf(place));
}

/** Keeps the text, or drops it. */
export function keepDraft(place: DraftOf, text: string | undefined): void {
  if (text === undefined) drafts.delete(keyOf(place));
  else drafts.set(keyOf(place), text);
}

function keyOf({ account, path, id }: DraftOf): string {
  return `${account} ${path} ${id}`;
}
