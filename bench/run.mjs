// The whole benchmark: npm run bench [-- --quick] [-- --only start --only load …] [-- --beside FOLDER]
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { takeCores } from './harness/cores.mjs';
import { writeData } from './harness/data.mjs';
import { installPeers } from './harness/peers.mjs';
import { planOf } from './harness/plan.mjs';
import { Results } from './harness/statistics.mjs';
import { TARGETS } from './harness/targets.mjs';
import { besideTable, measureBeside } from './measures/beside.mjs';
import { measureInProcess, nodeOn } from './measures/in-process.mjs';
import { measureInstall } from './measures/install.mjs';
import { measureLarge } from './measures/large.mjs';
import { measureLoad } from './measures/load.mjs';
import { measurePage } from './measures/page.mjs';
import { measureStart } from './measures/start.mjs';
import { measureSuite } from './measures/suite.mjs';
import { writeReadme } from './report/readme.mjs';
import { reportOf } from './report/report.mjs';

/** @import { Bench } from './types.js' */

/** @type {Record<string, (bench: Bench, round: number) => void | Promise<void>>} */
const STEPS = {
  start: measureStart,
  load: measureLoad,
  page: measurePage,
  large: measureLarge,
  'in-process': measureInProcess,
  suite: measureSuite,
  install: measureInstall,
};
/** What is measured of ours alone. */
const WITHOUT_PEERS = ['page', 'beside'];
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
const plan = planOf(values.quick);
const beganAt = performance.now();

/** @param {string} text */
function say(text) {
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s  ${text}\n`);
}

if (plan.isQuick) say('A quick run: one short round, for a look, not for figures to quote.');
const peers = values.only.every((name) => WITHOUT_PEERS.includes(name)) ? {} : installPeers();
const cores = takeCores();
say(cores.note);
const data = await writeData();
// Servers that sleep would outlive an interruption.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', data.remove);
/** @type {Bench} */
const bench = {
  ...{ plan, peers, cores, data },
  targets: TARGETS.filter(({ name }) => !plan.leftOut.includes(name)),
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
