/** The values of a list that is written as one text, with ` | ` between them. */
export function listed(...texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(' | '));
}
