const NUMBERS = new Intl.NumberFormat('en');

/** A number of things, such as `1 request` or `20,000 requests`. */
export function count(number: number, noun: string): string {
  return `${NUMBERS.format(number)} ${noun}${number === 1 ? '' : 's'}`;
}
