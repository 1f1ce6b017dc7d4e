/** Converts to upper case first, so that `ß` equals `SS`. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}
