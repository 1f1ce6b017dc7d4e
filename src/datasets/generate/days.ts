/** The milliseconds of a day in UTC. */
export const DAY_MS = 86_400_000;

/** The midnights (UTC, ms since 1970) of every day from the first to the last, both included. */
export function daysBetween(from: string, to: string): number[] {
  const days: number[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += DAY_MS) days.push(day);
  return days;
}

/** The instant as RFC 3339 in UTC with milliseconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

const WEEKEND_SHARE = 0.35;
const GROWTH_PER_YEAR = 0.6;

/** What the measurements of one day have in common, so that it is computed once. */
export interface UsageDay {
  readonly date: Readonly<{ year: number; month: number; day: number }>;
  readonly daysSince1970: string;
  /** The last 6 of an id's 24 hex digits. */
  readonly idSuffix: string;
  /** Of the usage on a weekday. */
  readonly weekdayShare: number;
  /** Times the usage on the first day. */
  readonly growth: number;
  readonly endMs: number;
  /** The end of the day in RFC 3339, without minutes and seconds. */
  readonly endHour: string;
}

/** The days from the first to the last, both included. */
export function usageDays(from: string, to: string): readonly UsageDay[] {
  return daysBetween(from, to).map((ms, nth) => {
    const date = new Date(ms);
    const endMs = ms + DAY_MS;
    return {
      date: Object.freeze({
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
      }),
      daysSince1970: String(ms / DAY_MS),
      idSuffix: (ms / DAY_MS).toString(16).padStart(6, '0'),
      weekdayShare: date.getUTCDay() % 6 === 0 ? WEEKEND_SHARE : 1,
      growth: 1 + (GROWTH_PER_YEAR * nth) / 365,
      endMs,
      endHour: timestamp(endMs).slice(0, -'00:00.000Z'.length),
    };
  });
}
