import type { Mistake } from './mistake.js';

/** A number in a text whose value reading would change: a double does not hold it. */
export interface ChangedNumber {
  readonly path: readonly string[];
  readonly written: string;
}

/** More digits than JavaScript can print exactly; nobody writes them. */
const MAX_DIGITS = 100;

/**
 * Whether reading the number keeps its value, as with `1.10`, `1e3` and every correctly rounded
 * double; not with `1e400` or 2^53 + 1.
 */
export function isKept(written: string): boolean {
  if (/^-?\d{1,15}$/.test(written)) return true;
  const value = Number(written);
  if (/^0[xo]/.test(written)) return Number.isSafeInteger(value);
  const [digits, exponent] = decimalOf(written);
  if (!Number.isFinite(value) || digits.length > MAX_DIGITS) return false;
  if (digits === '') return true;
  const [read, readExponent] = decimalOf(value.toPrecision(digits.length));
  return read === digits && readExponent === exponent;
}

/** The significant digits of a number, and the power of ten of a point before the first one. */
function decimalOf(written: string): readonly [digits: string, exponent: number] {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^[-+]?(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(written) ?? [];
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  const leading = all.length - digits.length;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return [digits.slice(0, end), whole.length - leading + Number(exponent)];
}

/** Whether the text may have such a number; texts without one need no closer look. */
const LONG_NUMBER = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|[\d.]+[eE])/;

/** The parts of JSON that say where a number is; a string before a colon is a name. */
const PARTS = /"(?:[^"\\]|\\.)*"?(?:\s*:)?|[[\]{},]|-?\d[\d.eE+-]*/g;

/** The numbers in valid JSON that parsing changes, in their order. */
export function* changedNumbers(json: string): Generator<ChangedNumber, void> {
  if (!LONG_NUMBER.test(json)) return;
  /** The name or index at each level. */
  const path: (string | number)[] = [];
  for (const [part] of json.matchAll(PARTS)) {
    const last = path.at(-1);
    if (part === '{') path.push('');
    else if (part === '[') path.push(0);
    else if (part === '}' || part === ']') path.pop();
    else if (part === ',') path.push(typeof path.pop() === 'number' ? Number(last) + 1 : '');
    else if (part.endsWith(':')) path.splice(-1, 1, JSON.parse(part.slice(0, -1)));
    else if (!part.startsWith('"') && !isKept(part))
      yield { path: path.map(String), written: part };
  }
}

/** What is wrong with a number that reading changes. */
export function mistakeOfNumber({ path, written }: ChangedNumber): Mistake {
  const value = Number(written);
  const read = Number.isFinite(value) ? `, or as ${value}` : '';
  return {
    path,
    expected: 'a finite number that a double holds',
    received: value,
    written,
    fix: `Write it as a string${read}.`,
  };
}
