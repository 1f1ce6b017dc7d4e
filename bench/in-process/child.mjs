// Measures one way to mock in a fresh process: node child.mjs NAME DATA [OPERATION]
import { inTurn, operationsOf } from '../data.mjs';

const [name, json, wanted] = process.argv.slice(2);
const data = JSON.parse(json);
const operations = operationsOf(data);
const { requests } = operations.find((operation) => operation.name === wanted) ?? operations[0];
const next = inTurn(requests);
/** tinybench makes at least 64 calls. */
const [warmUpMs, measuredMs] = [2_000, 3_000].map((ms) => Math.min(ms, data.most));

const importedAt = performance.now();
const { open } = await import(`./${name}.mjs`);
const answer = await open(data);

async function call() {
  const { path, ...request } = next();
  const response = await answer(new Request(`http://billing.test${path}`, request));
  const body = await response.json();
  if (!response.ok || body.events?.length === 0) throw new Error(`${path}: ${response.status}`);
}

console.log(JSON.stringify(wanted === undefined ? await first() : await warm()));
process.exit();

async function first() {
  await call();
  return performance.now() - importedAt;
}

/** The CPU time of a call, in µs. */
async function warm() {
  const { Bench } = await import('tinybench');
  const run = async (time) => {
    const bench = new Bench({ time, warmup: false, throws: true }).add(wanted, call);
    const before = process.cpuUsage();
    const [{ result }] = await bench.run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / result.latency.samplesCount;
  };
  await run(warmUpMs);
  return run(measuredMs);
}
