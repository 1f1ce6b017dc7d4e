/** The number with its noun: `1 item`, `2 items`. */
export function count(number: unknown, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
