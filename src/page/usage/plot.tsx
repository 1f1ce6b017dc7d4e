import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { formatNumber } from './format-number.js';

interface PlotProps {
  readonly title: string;
  /** What stands below each value. */
  readonly labels: readonly string[];
  readonly values: readonly number[];
}

/** A larger value is drawn as this one; the table has it. */
const LARGEST = 1e300;
const HEIGHT_PX = 260;
const MOST_LABEL_CHARACTERS = 14;

/** Values as bars; the table beside it has them for those who do not see the plot. */
export function Plot({ title, labels, values }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = createPlot(element, labels, values);
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
  }, [labels, values]);
  return <div ref={place} class="plot" role="img" aria-label={title} />;
}

function createPlot(
  element: HTMLElement,
  labels: readonly string[],
  values: readonly number[],
): uPlot {
  const colour = (name: string) => () => getComputedStyle(element).getPropertyValue(name);
  const axis = {
    stroke: colour('--text'),
    grid: { stroke: colour('--line') },
    ticks: { show: false },
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 60] });
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      legend: { show: false },
      scales: { x: { time: false, range: [-0.6, labels.length - 0.4] }, y: { range: rangeOf } },
      axes: [
        {
          ...axis,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
          space: 110,
          values: (_plot, ticks) => ticks.map((tick) => cut(labels[tick] ?? '')),
        },
        { ...axis, size: 70, values: (_plot, ticks) => ticks.map(formatNumber) },
      ],
      series: [
        {},
        {
          stroke: colour('--accent'),
          fill: colour('--accent'),
          points: { show: false },
          ...(bars && { paths: bars }),
        },
      ],
    },
    [labels.map((_label, index) => index), values.map(drawable)],
    element,
  );
}

/** The scale around a larger value would have no end. */
function drawable(value: number): number {
  return Math.max(-LARGEST, Math.min(LARGEST, value));
}

/** From zero, with some room above. */
function rangeOf(_plot: uPlot, lowest: number | null, highest: number | null): [number, number] {
  const [low, high] = [Math.min(0, lowest ?? 0), Math.max(0, highest ?? 0)];
  const room = (high - low || 1) * 0.05;
  return [low < 0 ? low - room : 0, high + room];
}

function cut(text: string): string {
  return text.length > MOST_LABEL_CHARACTERS
    ? `${text.slice(0, MOST_LABEL_CHARACTERS - 1)}…`
    : text;
}
