/** How many invalid values a problem lists at most, as `Problem` in the document says. */
export const MOST_ERRORS = 20;

/** Added to a list of mistakes if there may be more. */
export const FIRST_LISTED = `${MOST_ERRORS} or more values are invalid; the first ${MOST_ERRORS} are listed.`;

/** The mistakes to list, and one more if there are more, so that callers can tell. */
export function firstMistakes<One>(mistakes: Iterable<One>): One[] {
  const first: One[] = [];
  for (const mistake of mistakes) {
    first.push(mistake);
    if (first.length > MOST_ERRORS) break;
  }
  return first;
}
