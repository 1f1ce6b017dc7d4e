import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { Table } from '../parts/table.js';
import { count, formatNumber } from '../parts/texts.js';
import type { Entry } from './use-usage.js';

interface PlotProps {
  readonly title: string;
  /** What the keys are. */
  readonly column: string;
  readonly entries: readonly Entry[];
}

const HEIGHT_PX = 260;
const MOST_LABEL_CHARACTERS = 14;
const CHARACTER_PX = 7;
/** The last label may be wider than its bar. */
const SPILL_PX = 45;
/** How many values the axis has, about. */
const TICKS = 5;
/** How much of the axis is left empty. */
const ROOM = 0.05;

/** A plot of values as bars, and the table behind it, for those who do not see the plot as well. */
export function Plot({ title, column, entries }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = createPlot(element, entries, ([label, value]) => {
      if (readout.current) readout.current.textContent = `${label}: ${formatNumber(value)}`;
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
  }, [entries]);
  return (
    <section class="panel wide">
      <h3 class="wrap">{title}</h3>
      <div ref={place} class="plot" role="img" aria-label={title} />
      <p ref={readout} class="readout faint">
        Point at a bar to read its value.
      </p>
      <details>
        <summary>Table of {count(entries.length, 'value')}</summary>
        <Table
          caption={<caption class="hidden">{title}</caption>}
          columns={[
            [column, ([key]) => key],
            ['Value', ([, value]) => formatNumber(value), 'number'],
          ]}
          rows={entries}
          keyOf={(_entry, index) => String(index)}
        />
      </details>
    </section>
  );
}

function createPlot(
  element: HTMLElement,
  entries: readonly Entry[],
  onPoint: (entry: Entry) => void,
): uPlot {
  const labels = entries.map(([label]) => label);
  const values = entries.map(([, value]) => value);
  const pointAt = ({ cursor: { idx } }: uPlot) => {
    const entry = entries[idx ?? -1];
    if (entry) onPoint(entry);
  };
  const colour = (name: string) => () => getComputedStyle(element).getPropertyValue(name);
  // Any number is drawn, up to the largest that there is: in a power of ten, so that all are below ten.
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const unit = 10 ** Math.floor(Math.log10(largest)) || 1;
  const axis = { stroke: colour('--text'), ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.7, 60] });
  const accent = { stroke: colour('--accent'), fill: colour('--accent') };
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      padding: [10, SPILL_PX, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      hooks: { setCursor: [pointAt] },
      scales: { x: { time: false, range: [-0.6, labels.length - 0.4] }, y: { range: rangeOf } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
          space: 110,
          values: (_plot, ticks) => ticks.map((tick) => cut(labels[tick] ?? '')),
        },
        {
          ...axis,
          grid: { stroke: colour('--line') },
          size: (_plot, texts) => widthOf(texts),
          incrs: [0.2, 0.5, 1, 2, 5],
          space: (_plot, _axis, _low, _high, lengthPx) => lengthPx / (1 + ROOM) / TICKS,
          // Without the digits that the arithmetic of ticks adds.
          values: (_plot, ticks) =>
            ticks.map((tick) => formatNumber(Number((tick * unit).toPrecision(12)))),
        },
      ],
      series: [{}, { ...accent, points: { show: false }, ...(bars && { paths: bars }) }],
    },
    [labels.map((_label, index) => index), values.map((value) => value / unit)],
    element,
  );
}

/** From zero, with some room above. */
function rangeOf(_plot: uPlot, lowest: number | null, highest: number | null): [number, number] {
  const [low, high] = [Math.min(0, lowest ?? 0), Math.max(0, highest ?? 0)];
  const room = (high - low || 1) * ROOM;
  return [low < 0 ? low - room : 0, high + room];
}

function widthOf(texts: readonly string[] | null): number {
  const longest = Math.max(0, ...(texts ?? []).map(({ length }) => length));
  return Math.max(50, longest * CHARACTER_PX + 14);
}

function cut(text: string): string {
  return text.length > MOST_LABEL_CHARACTERS
    ? `${text.slice(0, MOST_LABEL_CHARACTERS - 1)}…`
    : text;
}
