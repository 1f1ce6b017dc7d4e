// Measures how many requests a second several mocks behind nginx answer, and predicts from the CPU
// time of a request how many more mocks would.
import { availableParallelism } from 'node:os';
import { countFlag, readFlags } from '../report/flags.js';
import { report } from '../report/report.js';
import { type Figure, figure, type Result } from '../report/result.js';
import { type Measurement, measure } from './measure.js';
import { coresNeeded, predict } from './predict.js';

const MEASURED = [1, 2, 4];
const PREDICTED = [1, 2, 4, 8];
const MAX_DEVIATION = 0.25;

const { seconds } = readFlags(
  {
    name: 'scale-out',
    summary: 'Measures 1, 2 and 4 mocks behind nginx, on Linux with nginx installed.',
  },
  { seconds: countFlag('how long each of them is measured', 10) },
);
const measured: Measurement[] = [];
for (const mocks of MEASURED) {
  process.stdout.write(`Measuring ${count(mocks)}...\n`);
  measured.push(await measure(mocks, seconds));
}
report(resultOf(measured));

function resultOf(measured: readonly Measurement[]): Result {
  const cores = availableParallelism();
  const [first, ...others] = measured;
  const last = measured.at(-1);
  if (first === undefined || last === undefined) throw new Error('Nothing was measured.');
  return {
    name: 'scale-out',
    command: `npm run scale-out -- --seconds ${seconds}`,
    description: `[Several mocks behind nginx](../examples/scale-out/README.md) serve pages of 10 measurements to 1,000 accounts over 32 connections, ${seconds} s each. Load generator, nginx and mocks share ${cores} cores; the bound follows from the CPU time of a request with 1 mock.`,
    figures: [
      requestsOf(first),
      ...others.map((one) => requestsOf(one, predict(one, first.cpuMs), one.mocks <= cores)),
      ...measured.map(cpuTimeOf),
    ],
    limits: [
      `Measured on ${cores} cores; the prediction beyond is a calculation, and the most you can expect.`,
      'Other programs on the machine raise the CPU time of a request, and so do more mocks than cores, which therefore have no bound.',
      'It includes no network, and no accounts that are unevenly spread: the busiest mock is the limit.',
    ],
    listings: [
      {
        title: `Predicted from the CPU time with ${count(last.mocks)}, with a core for each mock`,
        columns: ['mocks', 'requests per second', 'cores for mocks', 'cores for nginx'],
        rows: PREDICTED.map((mocks) => coresNeeded(mocks, last.cpuMs)),
      },
    ],
  };
}

function requestsOf(
  { mocks, requestsPerSecond, cores }: Measurement,
  predicted?: number,
  isBound = false,
): Figure {
  const name = `${count(mocks)}: requests per second`;
  const value = `${requestsPerSecond.toFixed(0)} on ${cores.toFixed(1)} cores`;
  if (predicted === undefined) return figure(name, value);
  const byFirst = `${predicted.toFixed(0)} by the CPU time of 1 mock`;
  if (!isBound) return figure(name, value, `(${byFirst})`);
  const isWithin = Math.abs(requestsPerSecond / predicted - 1) <= MAX_DEVIATION;
  return figure(name, value, `${byFirst}, ±${MAX_DEVIATION * 100} %`, isWithin);
}

function cpuTimeOf({ mocks, cpuMs }: Measurement): Figure {
  const times = [cpuMs.mock, cpuMs.nginx, cpuMs.generator].map((ms) => ms.toFixed(3));
  const name = `${count(mocks)}: CPU time for a request, of mocks, nginx, load generator`;
  return figure(name, `${times.join(', ')} ms`);
}

function count(mocks: number): string {
  return `${mocks} ${mocks === 1 ? 'mock' : 'mocks'}`;
}
