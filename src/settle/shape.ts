import { isObject } from '../messages/is-object.js';

const LONGEST_NAME = 60;

/** What a value is, without what it says: `a text of 12 characters`. */
export function shapeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return shapeOfText(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return `an object of ${Object.keys(value).length}`;
  return `a ${typeof value}`;
}

function shapeOfText(text: string): string {
  if (text === '') return 'an empty text';
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return 'an e-mail address';
  // Dates, numbers and phones: what is between the digits tells enough.
  if (text.length <= LONGEST_NAME && /^[\d\s.,:+()/TZ-]+$/.test(text) && /\d/.test(text)) {
    return `'${text.replaceAll(/\d/g, '0')}'`;
  }
  return `a text of ${text.length} ${text.length === 1 ? 'character' : 'characters'}`;
}

/** A name of the service's own, such as that of a member; anything else as its shape. */
export function shownWord(word: string): string {
  const isWord = word.length <= LONGEST_NAME && /^[\p{L}_$][\w$.-]*$/u.test(word);
  return isWord ? word : `(${shapeOf(word)})`;
}
