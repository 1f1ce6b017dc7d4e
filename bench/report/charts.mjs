// The charts of the report, drawn from the figures of its tables.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OPERATIONS } from '../harness/operations.mjs';
import { RUNNERS, TARGETS } from '../suite/project.mjs';
import { figure } from './format.mjs';
import { barChart } from './svg.mjs';

/** @import { Bar, Bench, Chart } from '../types.js' */

const FOLDER = fileURLToPath(new URL('../charts/', import.meta.url));
const ROUNDS = 'A bar is the median of the rounds, the line on it their range.';

/** @type {Record<string, Chart>} */
export const CHARTS = {
  start: {
    title: 'Spawn to the first 200',
    isMoreBetter: false,
    panels: [
      { title: 'ms', measure: 'start', nothingKept: 'start with nothing kept' },
      { title: 'MB then', measure: 'memory at start' },
    ],
  },
  requests: {
    title: 'Requests a second, ten connections',
    isMoreBetter: true,
    panels: OPERATIONS.map(({ id, title }) => ({
      title: title.slice(title.indexOf(': ') + 2),
      measure: id,
    })),
  },
  memory: {
    title: 'Resident memory, MB',
    isMoreBetter: false,
    panels: [
      { title: 'after load', measure: 'memory after load' },
      { title: 'with 1,000,000 measurements', measure: 'large memory' },
    ],
  },
  suite: {
    title: 'A suite of 20 files of tests in two workers',
    isMoreBetter: false,
    names: TARGETS.map(({ name }) => name),
    panels: RUNNERS.flatMap(({ name }) => [
      { title: `${name}, seconds`, measure: `suite in ${name}` },
      { title: `${name}, MB of a worker`, measure: `suite in ${name}, worker` },
    ]),
  },
};

/**
 * A line of Markdown that shows the chart.
 * @param {string} name
 */
export function imageOf(name) {
  return `![${CHARTS[name]?.title}](charts/${name}.svg)`;
}

/** @param {Bench} bench */
export function writeCharts(bench) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, chart] of Object.entries(CHARTS)) {
    writeFileSync(`${FOLDER}${name}.svg`, drawn(bench, chart));
  }
}

/**
 * @param {Bench} bench
 * @param {Chart} chart
 */
function drawn({ targets, results }, { title, isMoreBetter, names, panels }) {
  /** @type {(name: string, target: string, measure: string) => Bar} */
  const barOf = (name, target, measure) => {
    const value = results.median(measure, target);
    const { values } = results.cell(measure, target);
    return { name, kind: kindOf(targets, target), value, values, label: figure(value) };
  };
  const shown = names ?? targets.map(({ name }) => name);
  const drawnPanels = panels.map((panel) => ({
    title: panel.title,
    bars: [
      ...shown.map((name) => barOf(name, name, panel.measure)),
      ...(panel.nothingKept ? [barOf('ours, nothing kept', 'ours', panel.nothingKept)] : []),
    ],
  }));
  return barChart(title, `${isMoreBetter ? 'More' : 'Less'} is better. ${ROUNDS}`, drawnPanels);
}

/**
 * @param {Bench['targets']} targets
 * @param {string} name
 */
function kindOf(targets, name) {
  if (name.startsWith('ours')) return 'ours';
  return targets.find((target) => target.name === name)?.kind === 'limit' ? 'limit' : 'peer';
}
