import { type Figure, figure, type Listing } from '../report/result.js';
import type { Point, SoakOutcome } from './soak.js';

/** Shorter runs have no verdict on the slope, because caches are still filling. */
export const JUDGED_FROM_MINUTES = 10;
/** If each of 150 requests a second left fifty bytes behind, that would be 26 MB an hour. */
const MAX_MB_AN_HOUR = 25;
/** How much more resident memory may grow, because a process keeps what it once needed. */
const SETTLING_MB = 5;
/** The share of the rate that must be reached in spite of pauses. */
const MIN_SHARE_OF_RATE = 0.95;
const MB = 2 ** 20;

/** The figures of one dataset, each with its bound. */
export function figuresOf(
  outcome: SoakOutcome,
  { minutes, rate }: { readonly minutes: number; readonly rate: number },
): Figure[] {
  const { dataset, calls, wrong, leftOpen, filesLeft, accountsLeft, log } = outcome;
  const failures = log.match(/^\s+at .+:\d+:\d+/gm)?.length ?? 0;
  const sockets = leftOpen.filter((kind) => kind.includes('Socket')).length;
  const figures: Figure[] = [
    figure('calls', calls.toLocaleString('en')),
    rateFigure(outcome, minutes, rate),
    none('responses not as the model says', wrong.length),
    none('failures in the log', failures),
    slopeFigure('resident memory after quiet', outcome, 'rss', minutes),
    slopeFigure('heap after quiet', outcome, 'heapUsed', minutes),
    ...latencyFigures(outcome),
    none('sockets left by clients gone', sockets),
    none('other handles left', leftOpen.length - sockets),
    none('open files left', filesLeft),
    none('accounts left open when idle', accountsLeft),
  ];
  return figures.map((figure) => ({ ...figure, name: `${dataset}: ${figure.name}` }));
}

/** If the rate is not reached, the mock was slower than the load. */
function rateFigure({ calls, points }: SoakOutcome, minutes: number, rate: number): Figure {
  const reached = calls / ((points.at(-1)?.atMs ?? 0) / 1_000);
  const least = Math.floor(MIN_SHARE_OF_RATE * rate);
  const bound = `at least ${least} of ${rate}`;
  return judgedLate('calls a second', reached.toFixed(0), bound, reached >= least, minutes);
}

function none(name: string, count: number): Figure {
  return figure(name, count, 'none', count <= 0);
}

/** A figure that has no verdict in a short run. */
function judgedLate(
  name: string,
  value: string,
  bound: string,
  isWithin: boolean,
  minutes: number,
) {
  if (minutes >= JUDGED_FROM_MINUTES) return figure(name, value, bound, isWithin);
  return figure(name, value, `from ${JUDGED_FROM_MINUTES} min on`);
}

function slopeFigure(name: string, outcome: SoakOutcome, of: Memory, minutes: number): Figure {
  const slope = slopeOf(outcome.points, of);
  const bytesACall = (slope * MB) / (outcome.calls / (minutes / 60));
  const settling = of === 'rss' ? SETTLING_MB / (minutes / 60) : 0;
  const most = Math.round(MAX_MB_AN_HOUR + settling);
  const value = `${signed(slope.toFixed(1))} MB/h, ${signed(bytesACall.toFixed(0))} bytes a call`;
  return judgedLate(name, value, `at most ${most} MB/h`, slope <= most, minutes);
}

function signed(digits: string): string {
  return digits.startsWith('-') ? digits : `+${digits}`;
}

type Memory = 'rss' | 'heapUsed';

/** The growth in MB an hour, by least squares without the first point, which is warm-up. */
function slopeOf(points: readonly Point[], of: Memory): number {
  const judged = points.slice(1).map((point) => [point.atMs / 3_600_000, point[of] / MB] as const);
  const mean = (values: readonly number[]) =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const [meanHour, meanMb] = [mean(judged.map(([hour]) => hour)), mean(judged.map(([, mb]) => mb))];
  const together = mean(judged.map(([hour, mb]) => (hour - meanHour) * (mb - meanMb)));
  return together / mean(judged.map(([hour]) => (hour - meanHour) ** 2));
}

function latencyFigures({ durations }: SoakOutcome): Figure[] {
  const [first, last] = [durations[1], durations.at(-1)].map((tenth) =>
    percentile(tenth ?? [], 0.99),
  );
  const most = Math.max(2 * (first ?? 0), (first ?? 0) + 10);
  const inMs = (value = 0) => `${value.toFixed(1)} ms`;
  return [
    figure('p99 of the second tenth', inMs(first)),
    figure('p99 of the last tenth', inMs(last), `at most ${inMs(most)}`, (last ?? 0) <= most),
  ];
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** The ten points of each dataset, and the first responses that were wrong. */
export function listingsOf(outcomes: readonly SoakOutcome[]): Listing[] {
  const inMb = (bytes = 0) => (bytes / MB).toFixed(1);
  const times = outcomes[0]?.points ?? [];
  return [
    {
      title: 'Memory after quiet, in MB',
      columns: [
        'minute',
        ...outcomes.flatMap(({ dataset }) => [`${dataset}: resident`, `${dataset}: heap`]),
      ],
      rows: times.map(({ atMs }, nth) => [
        (atMs / 60_000).toFixed(1),
        ...outcomes.flatMap(({ points }) => [inMb(points[nth]?.rss), inMb(points[nth]?.heapUsed)]),
      ]),
    },
    {
      title: 'Responses not as the model says (the first 20)',
      columns: ['dataset', 'response'],
      rows: outcomes
        .flatMap(({ dataset, wrong }) => wrong.map((one) => [dataset, one]))
        .slice(0, 20),
    },
  ];
}
