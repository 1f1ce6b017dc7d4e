import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { count, formatNumber } from '../parts/format.js';
import { Table } from '../parts/table.js';
import type { Entry } from './use-usage.js';

interface PlotProps {
  readonly title: string;
  /** Values by day, earliest first. */
  readonly entries: readonly Entry[];
  /** The values of all compared plots, earliest first; they determine the axes. */
  readonly scale: readonly Entry[];
}

const HEIGHT_PX = 240;
const CHARACTER_PX = 7;
/** About how many values the axis shows. */
const TICKS = 5;
/** The empty room above the values, and below negative ones, as a share of their range. */
const ROOM = 0.05;
const DAY_S = 86_400;

/** Plots values by day, and lists them in a table for people who cannot see the plot. */
export function Plot({ title, entries, scale }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = createPlot(element, entries, scale, ([day, value], leftPx) => {
      if (!readout.current) return;
      readout.current.textContent = `${day}: ${formatNumber(value)}`;
      readout.current.style.left = `${Math.min(leftPx, element.clientWidth - LABEL_PX)}px`;
    });
    const watch = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    watch.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => plot.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      watch.disconnect();
      plot.destroy();
    };
  }, [entries, scale]);
  return (
    <section class="panel">
      <h3 class="wrap">{title}</h3>
      <div ref={place} class="plot" role="img" aria-label={title}>
        <p ref={readout} class="readout" />
      </div>
      <details>
        <summary>Table of {count(entries.length, 'value')}</summary>
        <Table
          caption={<caption class="hidden">{title}</caption>}
          columns={[
            ['Day', ([day]) => day],
            ['Value', ([, value]) => formatNumber(value), 'number'],
          ]}
          rows={entries}
          keyOf={([day]) => day}
        />
      </details>
    </section>
  );
}

/** The most room that the value at the pointer needs. */
const LABEL_PX = 180;

function createPlot(
  element: HTMLElement,
  entries: readonly Entry[],
  scale: readonly Entry[],
  onPoint: (entry: Entry, leftPx: number) => void,
): uPlot {
  const days = entries.map(([day]) => secondsOf(day));
  const values = entries.map(([, value]) => value);
  const pointAt = (plot: uPlot) => {
    const entry = entries[plot.cursor.idx ?? -1];
    if (entry)
      onPoint(entry, plot.valToPos(days[plot.cursor.idx ?? 0] ?? 0, 'x') + plot.over.offsetLeft);
  };
  const colour = (name: string) => () => getComputedStyle(element).getPropertyValue(name);
  // Divided by a power of ten, so that values of any size are plotted as numbers below ten.
  const [lowest, highest] = scale.reduce(
    ([low, high], [, value]) => [Math.min(low, value), Math.max(high, value)],
    [0, 0],
  );
  const unit = 10 ** Math.floor(Math.log10(Math.max(-lowest, highest))) || 1;
  const [low, high] = [lowest / unit, highest / unit];
  const room = (high - low || 1) * ROOM;
  const axis = { stroke: colour('--faint'), ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.8, 24, 2] });
  const accent = { stroke: colour('--accent'), fill: colour('--accent') };
  const [first = 0, last = 0] = [scale[0], scale.at(-1)].map((entry) => secondsOf(entry?.[0]));
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      padding: [10, 36, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      hooks: { setCursor: [pointAt] },
      scales: {
        x: { range: [first - DAY_S, last + DAY_S] },
        y: { range: [low < 0 ? low - room : 0, high + room] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 32,
          incrs: [1, 2, 7, 14, 31, 92, 366, 1_830, 18_300, 183_000].map((each) => each * DAY_S),
          space: 90,
          // Days in UTC, whatever the time zone of the browser.
          splits: (_plot, _axis, from, to, step) => {
            const begin = Math.ceil(from / step) * step;
            return Array.from(
              { length: Math.floor((to - begin) / step) + 1 },
              (_, nth) => begin + nth * step,
            );
          },
          values: (_plot, ticks) =>
            ticks.map((tick) => new Date(tick * 1_000).toISOString().slice(0, 10)),
        },
        {
          ...axis,
          grid: { stroke: colour('--line') },
          size: (_plot, texts) => widthOf(texts),
          incrs: [0.2, 0.5, 1, 2, 5],
          space: (_plot, _axis, _low, _high, lengthPx) => lengthPx / (1 + ROOM) / TICKS,
          // Rounded, because the arithmetic of ticks leaves stray digits.
          values: (_plot, ticks) =>
            ticks.map((tick) => formatNumber(Number((tick * unit).toPrecision(12)))),
        },
      ],
      series: [{}, { ...accent, points: { show: false }, ...(bars && { paths: bars }) }],
    },
    [days, values.map((value) => value / unit)],
    element,
  );
}

function secondsOf(day = ''): number {
  return Date.parse(day) / 1_000;
}

function widthOf(texts: readonly string[] | null): number {
  const longest = Math.max(0, ...(texts ?? []).map(({ length }) => length));
  return Math.max(50, longest * CHARACTER_PX + 14);
}
