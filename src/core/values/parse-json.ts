/** Deeper than any real record, and shallow enough for every recursive function. */
export const MAX_LEVELS = 100;

export const EXPECTED_NESTING = `at most ${MAX_LEVELS} levels of objects and lists`;

/** The limit for what the mock has written, which may wrap a value of `MAX_LEVELS` levels. */
export const MAX_LEVELS_WRAPPED = MAX_LEVELS + 20;

/** Thrown for JSON that is nested too deeply, before anything is built from it. */
export class TooDeepError extends SyntaxError {}

/** Throws a `TooDeepError` before it builds anything, or another `SyntaxError`. */
export function parseJson(text: string, maxLevels = MAX_LEVELS): unknown {
  refuseDeepJson(text, maxLevels);
  return JSON.parse(text);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Throws a `TooDeepError` if brackets outside of strings are nested too deeply. */
function refuseDeepJson(text: string, maxLevels: number): void {
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
      if (level > maxLevels) throw new TooDeepError(`nested deeper than ${maxLevels} levels`);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level -= 1;
  }
}
