/** From here on digits say less than a power of ten. */
const LARGE = 1e15;
const NUMBERS = new Intl.NumberFormat('en', { maximumFractionDigits: 12 });

/** A value as people read it. */
export function formatNumber(value: number): string {
  return Math.abs(value) < LARGE && (value === 0 || Math.abs(value) > 1e-6)
    ? NUMBERS.format(value)
    : String(value);
}
