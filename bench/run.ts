// Runs the benchmark: npm run bench -- [--quick] [--only start --only load …] [--beside FOLDER]
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './harness/bench.js';
import { nodeOn, takeCores } from './harness/cores.js';
import { writeData } from './harness/data.js';
import { runOnMeasuredNode } from './harness/node-versions.js';
import { installPeers } from './harness/peers.js';
import { planOf } from './harness/plan.js';
import { Results } from './harness/statistics.js';
import { TARGETS } from './harness/targets.js';
import { besideTable, measureBeside } from './measures/beside.js';
import { measureInProcess } from './measures/in-process.js';
import { measureInstall } from './measures/install.js';
import { measureLarge } from './measures/large.js';
import { measureLoad } from './measures/load.js';
import { measurePage } from './measures/page.js';
import { measureStart } from './measures/start.js';
import { measureSuite } from './measures/suite.js';
import { writeReadme } from './report/readme.js';
import { reportOf } from './report/report.js';

const STEPS: Record<string, (bench: Bench, round: number) => void | Promise<void>> = {
  start: measureStart,
  load: measureLoad,
  page: measurePage,
  large: measureLarge,
  'in-process': measureInProcess,
  suite: measureSuite,
  install: measureInstall,
};
/** The measures without peers. */
const WITHOUT_PEERS = ['page', 'install', 'beside'];
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: Object.keys(STEPS) },
    beside: { type: 'string' },
  },
});
const { beside } = values;
if (beside !== undefined) {
  STEPS.beside = (bench) => measureBeside(bench, resolve(beside));
  values.only = ['beside'];
}
runOnMeasuredNode();
const plan = planOf(values.quick);
const beganAt = performance.now();

function say(text: string) {
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s  ${text}\n`);
}

if (plan.isQuick) say('A quick run: one short round, for a look, not for figures to quote.');
const peers = values.only.every((name) => WITHOUT_PEERS.includes(name)) ? {} : installPeers();
const cores = takeCores();
say(`Node ${process.version}; ${cores.note}`);
const data = await writeData();
// Otherwise stopped servers would outlive an interruption.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', data.remove);
const bench: Bench = {
  ...{ plan, peers, cores, data },
  targets: TARGETS,
  results: new Results(),
  node: nodeOn(cores),
  say,
};

for (let round = 0; round < plan.rounds; round += 1) {
  for (const [name, step] of Object.entries(STEPS)) {
    if (!values.only.includes(name)) continue;
    say(`Round ${round + 1} of ${plan.rounds}: ${name}`);
    await step(bench, round);
  }
}

const minutes = (performance.now() - beganAt) / 60_000;
const isWhole = !plan.isQuick && Object.keys(STEPS).every((name) => values.only.includes(name));
const report = beside === undefined ? reportOf(bench, minutes) : besideTable(bench);
console.log(report);
if (isWhole) writeReadme(report);
else say('Not a whole run: bench/README.md stays unchanged.');
