/**
 * RFC 3339 with a capital `T`, without leap seconds, and also with offsets such as `+0530` and
 * `+05`. `isCalendarDay` checks the days of months.
 */
const FORM =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;

/** Whether a text has the `FORM` of a timestamp, and is a valid `Date`. */
export function isTimestamp(text: string): boolean {
  const [, day] = FORM.exec(text) ?? [];
  return day !== undefined && !Number.isNaN(Date.parse(text)) && isCalendarDay(day);
}

/** Whether a day such as `2026-02-30` exists; JavaScript reads that as 2 March. */
export function isCalendarDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** What `instantOf` reads, in words. */
export const DAY_OR_INSTANT = 'a day or an instant, such as 2026-11-22 or 2026-11-22T09:30:00.000Z';

/** The instant that a text names: a timestamp, or the beginning of a day in UTC. */
export function instantOf(text: string): Date | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  return (isDay ? isCalendarDay : isTimestamp)(text) ? new Date(msOf(text)) : undefined;
}

/** `Date.parse` of a timestamp, whose fraction it misreads if that has more than nine digits. */
export function msOf(timestamp: string): number {
  return Date.parse(timestamp.replace(/(\.\d{3})\d+/, '$1'));
}

/** This many ms before 1970 is earlier than all years of RFC 3339, and gives 15 digits to the last. */
const ORIGIN_MS = 200_000_000_000_000;

/**
 * A text that sorts as a timestamp's instant does, to its last digit: `Date` has only whole
 * milliseconds. Timestamps may have more digits, and an offset (RFC 3339, section 5.6).
 */
export function sortableInstant(timestamp: string): string {
  const [, belowMs = ''] = /\.\d{3}(\d*[1-9])/.exec(timestamp) ?? [];
  return `${ORIGIN_MS + msOf(timestamp)}${belowMs}`;
}

const MS_IN = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Parses a duration such as `500ms`, `30s`, `15m` or `2h`. */
export function parseDurationMs(text: string): number {
  const [, count, unit] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
  // The pattern allows only these units; any other text gives NaN.
  return Number(count) * MS_IN[unit as keyof typeof MS_IN];
}
