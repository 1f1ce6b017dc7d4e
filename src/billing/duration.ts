const MS_IN = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** The milliseconds of a duration such as `500ms`, `30s`, `15m` or `2h`. */
export function parseDurationMs(text: string): number {
  const [, count, unit] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
  // The pattern matches these units only; any other text gives NaN.
  return Number(count) * MS_IN[unit as keyof typeof MS_IN];
}
