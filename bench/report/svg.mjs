// Horizontal bars as SVG: panels in two columns, each with a scale of its own that begins at zero.

/** @import { Bar, Panel } from '../types.js' */

const WIDTH = 880;
const MARGIN = 20;
const COLUMN = (WIDTH - 3 * MARGIN) / 2;
const NAMES = 132;
const VALUES = 64;
const ROW = 21;
const BAR = 13;
const HEAD = 78;
const PANEL_HEAD = 26;

/** Where a page is dark, so is the chart; it has its own ground, since a page may not say so. */
const STYLE = `
  svg { font: 12px system-ui, sans-serif; }
  .ground { fill: #ffffff; } text { fill: #1f2328; } .quiet { fill: #59636e; }
  .ours { fill: #0969da; } .peer { fill: #8c959f; } .limit { fill: #eaeef2; stroke: #8c959f; }
  .range { stroke: #1f2328; } .bold { font-weight: 600; } .title { font-size: 16px; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; } text { fill: #e6edf3; } .quiet { fill: #9198a1; }
    .ours { fill: #4493f8; } .peer { fill: #7d8590; } .limit { fill: #262c36; stroke: #7d8590; }
    .range { stroke: #e6edf3; }
  }`;

/**
 * @param {string} title
 * @param {string} note
 * @param {Panel[]} panels
 */
export function barChart(title, note, panels) {
  const heights = panels.map(({ bars }) => PANEL_HEAD + bars.length * ROW + MARGIN);
  const bottoms = [HEAD, HEAD];
  const drawn = panels.map((panel, nth) => {
    if (nth % 2 === 0) bottoms.fill(Math.max(...bottoms));
    const top = bottoms[nth % 2] ?? HEAD;
    bottoms[nth % 2] = top + (heights[nth] ?? 0);
    return drawPanel(panel, nth % 2 === 0 ? MARGIN : 2 * MARGIN + COLUMN, top);
  });
  const bottom = Math.max(...bottoms);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom}" width="${WIDTH}" height="${bottom}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" width="100%" height="100%"/>`,
    text(MARGIN, 28, title, 'title bold'),
    text(MARGIN, 46, note, 'quiet'),
    ...legend(panels),
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

/** @param {Panel[]} panels */
function legend(panels) {
  const kinds = new Set(panels.flatMap(({ bars }) => bars.map(({ kind }) => kind)));
  return [...kinds].map((kind, nth) => {
    const x = MARGIN + nth * 70;
    const name = kind === 'ours' ? kind : `${kind}s`;
    return `<rect class="${kind}" x="${x}" y="55" width="10" height="10"/>${text(x + 15, 64, name, 'quiet')}`;
  });
}

/**
 * @param {Panel} panel
 * @param {number} x
 * @param {number} y
 */
function drawPanel({ title, bars }, x, y) {
  const most = Math.max(...bars.flatMap(({ values }) => values));
  const scale = (COLUMN - NAMES - VALUES) / most;
  return [
    text(x, y + 14, title, 'bold'),
    ...bars.map((bar, nth) => drawBar(bar, x, y + PANEL_HEAD + nth * ROW, scale)),
  ].join('\n');
}

/**
 * A bar as long as the median, a line from the least to the most, and the median as text.
 * @param {Bar} bar
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 */
function drawBar({ name, kind, value, values, label }, x, y, scale) {
  const zero = x + NAMES;
  const at = (/** @type {number} */ amount) => (zero + amount * scale).toFixed(1);
  const middle = y + BAR / 2;
  const weight = kind === 'ours' ? 'bold' : '';
  const shown = text(x, y + BAR - 2, name, weight);
  if (value === undefined) return shown + text(zero, y + BAR - 2, 'no figure', 'quiet');
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return [
    shown,
    `<rect class="${kind}" x="${zero}" y="${y}" width="${(value * scale).toFixed(1)}" height="${BAR}"/>`,
    least < most &&
      `<path class="range" d="M${at(least)} ${middle}H${at(most)}M${at(least)} ${middle - 3}v6M${at(most)} ${middle - 3}v6"/>`,
    text(Number(at(most)) + 6, y + BAR - 2, label, weight),
  ]
    .filter(Boolean)
    .join('');
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} content
 * @param {string} [style]
 */
function text(x, y, content, style) {
  const look = style ? ` class="${style}"` : '';
  return `<text x="${x}" y="${y}"${look}>${escaped(content)}</text>`;
}

/** @param {string} content */
function escaped(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
