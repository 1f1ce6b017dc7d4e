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
