/** From here on digits say less than a power of ten. */
const LARGE = 1e15;
const NUMBERS = new Intl.NumberFormat('en', { maximumFractionDigits: 12 });

/** A value as people read it. */
export function formatNumber(value: number): string {
  return Math.abs(value) < LARGE && (value === 0 || Math.abs(value) > 1e-6)
    ? NUMBERS.format(value)
    : String(value);
}

/** A number of things, such as `1 request` or `20,000 requests`. */
export function count(number: number, noun: string): string {
  return `${NUMBERS.format(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** JSON with a member a line; any other text as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A text in which names of code stand between backticks, as the document has them. */
export function Words({ text = '' }: { readonly text?: string | undefined }) {
  const parts = text.split('`').map((part, index) => ({ part, isCode: index % 2 === 1, index }));
  return (
    <>{parts.map(({ part, isCode, index }) => (isCode ? <code key={index}>{part}</code> : part))}</>
  );
}
