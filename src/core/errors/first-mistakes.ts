/** How many invalid values a problem lists at most, as `Problem` in the document says. */
export const MAX_ERRORS = 20;

/** Added to a list of mistakes if there may be more. */
export const FIRST_LISTED = `${MAX_ERRORS} or more values are invalid; the first ${MAX_ERRORS} are listed.`;

/** The mistakes to list, and one more if there are more, so that callers can tell. */
export function firstMistakes<One>(mistakes: Iterable<One>): One[] {
  const first: One[] = [];
  for (const mistake of mistakes) {
    first.push(mistake);
    if (first.length > MAX_ERRORS) break;
  }
  return first;
}
