const MAX_LATENCY_MS = 60_000;
const LATENCY_FORM = /^(\d+)(?:\.\.(\d+))?$/;

export const EXPECTED_LATENCY = `milliseconds from 0 to ${MAX_LATENCY_MS}, as one whole number such as 300 or as a range such as "20..200", lower number first`;

/** Parses a latency such as `300` or `20..200`; undefined if it is invalid. */
export function latencyRangeOf(latency: unknown) {
  if (typeof latency !== 'number' && typeof latency !== 'string') return undefined;
  const [, min, max = min] = LATENCY_FORM.exec(String(latency)) ?? [];
  const range = { minMs: Number(min), maxMs: Number(max) };
  return range.minMs <= range.maxMs && range.maxMs <= MAX_LATENCY_MS ? range : undefined;
}
