/** Deeper than any real record, and shallow enough for every recursive function. */
export const MOST_LEVELS = 100;

export const EXPECTED_NESTING = `at most ${MOST_LEVELS} levels of objects and lists`;

/** The limit for what the mock has written, which may wrap a value of `MOST_LEVELS` levels. */
export const MOST_LEVELS_WRAPPED = MOST_LEVELS + 20;

/** Thrown for JSON that is nested too deeply, before anything is built from it. */
export class TooDeepError extends SyntaxError {}

/** Throws a `TooDeepError` before it builds anything, or another `SyntaxError`. */
export function parseJson(text: string, mostLevels = MOST_LEVELS): unknown {
  refuseDeepJson(text, mostLevels);
  return JSON.parse(text);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Throws a `TooDeepError` if brackets outside of strings are nested too deeply. */
function refuseDeepJson(text: string, mostLevels: number): void {
  let level = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      level += 1;
      if (level > mostLevels) throw new TooDeepError(`nested deeper than ${mostLevels} levels`);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level -= 1;
  }
}
