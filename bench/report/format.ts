// Formats figures and tables for both terminals and Markdown.

/** How many digits after the point a figure has, by its size. */
const DIGITS: [least: number, digits: number][] = [
  [100, 0],
  [10, 1],
  [0.1, 2],
  [0, 3],
];

/** A figure with two or three significant digits, and separated thousands. */
export function figure(value: number | undefined) {
  if (value === undefined || Number.isNaN(value)) return '–';
  const digits = Number.isInteger(value) ? 0 : digitsAfterPoint(Math.abs(value));
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function digitsAfterPoint(size: number) {
  return DIGITS.find(([least]) => size >= least)?.[1] ?? 0;
}

export function range(values: number[]) {
  if (values.length < 2) return '';
  return `${figure(Math.min(...values))} to ${figure(Math.max(...values))}`;
}

/** A Markdown table; the first column is aligned left, the others right. */
export function table(head: string[], rows: string[][]) {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  // Not padded: the package contains these tables.
  const rule = head.map((_title, column) => (column ? '--:' : '---'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** The numbered notes below a table; equal notes share a number. */
export class Notes {
  #numbers: Map<string, number> = new Map();

  mark(text: string | undefined) {
    if (!text) return '';
    if (!this.#numbers.has(text)) this.#numbers.set(text, this.#numbers.size + 1);
    return ` [${this.#numbers.get(text)}]`;
  }

  toString() {
    return [...this.#numbers].map(([text, number]) => `[${number}] ${text}`).join('; ');
  }
}
