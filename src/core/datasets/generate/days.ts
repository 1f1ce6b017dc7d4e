export const DAY_MS = 86_400_000;

/** The midnights (UTC, ms since 1970) of every day from the first to the last, both included. */
export function daysBetween(from: string, to: string): number[] {
  const days: number[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += DAY_MS) days.push(day);
  return days;
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** What all measurements of one day share, computed once. */
export interface UsageDay {
  readonly date: Readonly<{ year: number; month: number; day: number }>;
  readonly daysSince1970: string;
  /** The last 6 of an id's 24 hex digits. */
  readonly idSuffix: string;
  readonly isWeekend: boolean;
  /** The factor for the month; 1 in an average month. */
  readonly season: number;
  /** Days since the first day; `nthOfMonth` is that of the first of the month, but at least 0. */
  readonly nth: number;
  readonly nthOfMonth: number;
  readonly midnightMs: number;
  /** The last hour of the day in RFC 3339, without minutes and seconds. */
  readonly lastHour: string;
}

/** Business by month: slow in summer, busy before the year ends. */
const SEASONS = [1, 0.99, 1, 1.01, 1, 0.97, 0.93, 0.92, 0.99, 1.03, 1.08, 1.07] as const;

export function usageDays(from: string, to: string): readonly UsageDay[] {
  return daysBetween(from, to).map((midnightMs, nth) => {
    const date = new Date(midnightMs);
    const month = date.getUTCMonth();
    const day = date.getUTCDate();
    return {
      date: Object.freeze({ year: date.getUTCFullYear(), month: month + 1, day }),
      daysSince1970: String(midnightMs / DAY_MS),
      idSuffix: (midnightMs / DAY_MS).toString(16).padStart(6, '0'),
      isWeekend: date.getUTCDay() % 6 === 0,
      season: SEASONS[month] ?? 1,
      nth,
      nthOfMonth: Math.max(nth + 1 - day, 0),
      midnightMs,
      lastHour: timestamp(midnightMs + DAY_MS - 1).slice(0, -'00:00.000Z'.length),
    };
  });
}
