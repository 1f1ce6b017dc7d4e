import { finish, type Steps } from '../store/work-in-steps.js';

/** Deeper than any real record, and shallow enough for every recursive function. */
export const MOST_LEVELS = 100;

export const EXPECTED_NESTING = `at most ${MOST_LEVELS} levels of objects and lists`;

/** The limit for what the mock has written, which may wrap a value of `MOST_LEVELS` levels. */
export const MOST_LEVELS_WRAPPED = MOST_LEVELS + 20;

/** Thrown for JSON that is nested too deeply, before anything is built from it. */
export class TooDeepError extends SyntaxError {}

/** Throws a `TooDeepError` before it builds anything, or another `SyntaxError`. */
export function parseJson(text: string, mostLevels = MOST_LEVELS): unknown {
  finish(refusingDeepJson(text, mostLevels));
  return JSON.parse(text);
}

/** Short enough to scan in a fraction of a millisecond. */
const CHARACTERS_A_STEP = 2 ** 16;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Throws a `TooDeepError` if brackets outside of strings are nested too deeply; checks nothing
 * else.
 */
export function* refusingDeepJson(text: string, mostLevels = MOST_LEVELS): Steps<void> {
  // Too short to open and close that many brackets.
  if (text.length <= 2 * mostLevels) return;
  let scanned: Scanned = { index: 0, level: 0, isInString: false };
  for (; scanned.index < text.length; yield) scanned = scan(text, scanned, mostLevels);
}

interface Scanned {
  readonly index: number;
  readonly level: number;
  readonly isInString: boolean;
}

/** Scans one step. It is a function of its own, because the variables of a generator are slow. */
function scan(text: string, { index, level, isInString }: Scanned, mostLevels: number): Scanned {
  const end = Math.min(text.length, index + CHARACTERS_A_STEP);
  for (; index < end; index += 1) {
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
  return { index, level, isInString };
}
