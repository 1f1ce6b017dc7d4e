// Measures what the mock costs: npm run bench -- [--rounds 3] [--requests 20000] [start load in-process suite large page]
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';

const BENCH = new URL('./', import.meta.url).pathname;
const MEASURES = ['start', 'load', 'in-process', 'suite', 'large', 'page'];
const COLUMNS = ['ours', 'by hand', 'json-server', 'node:http', 'MSW'];
/** What ours is compared with: the best of these that has the figure. */
const PEERS = ['by hand', 'json-server', 'MSW'];
const ALL_REQUESTS = 20_000;
/** Above this load average of five minutes, others use the machine. */
const QUIET = 0.5;

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** The most of a measure: V8 needs some 20,000 until it has compiled what they call. */
    requests: { type: 'string', default: String(ALL_REQUESTS) },
  },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !MEASURES.includes(name));
if (unknown !== undefined) {
  console.error(`No measure is called '${unknown}'; expected some of ${MEASURES.join(', ')}.`);
  process.exit(2);
}
const wanted = positionals.length > 0 ? positionals : MEASURES;
const [, loadBefore] = loadavg();
const results = new Map();

function add(figure, name, value) {
  const cells = results.get(figure) ?? {};
  results.set(figure, { ...cells, [name]: [...(cells[name] ?? []), value] });
}

function say(text) {
  console.error(`${Math.round(performance.now() / 1_000)} s  ${text}`);
}

installPackage();
// They import the package that has just been installed.
const { writeData } = await import('./data.mjs');
const data = await writeData(Number(values.requests));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const name of wanted) {
    say(`Round ${round + 1}: ${name}`);
    const [measure] = Object.values(await import(`./measure-${name}.mjs`)).filter((exported) =>
      exported.name.startsWith('measure'),
    );
    await measure({ add, data, round, say });
  }
  console.log(tableOf(results));
}
if (wanted === MEASURES && Number(values.requests) === ALL_REQUESTS) writeReadme(tableOf(results));
process.exit();

/** Unpacks this package, as it would be published, where the bench imports it. */
function installPackage() {
  const own = `${BENCH}node_modules/usage-billing-mock`;
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', BENCH];
  const output = execFileSync('npm', pack, { cwd: `${BENCH}..`, encoding: 'utf8' });
  const tarball = `${BENCH}${output.trim().split('\n').at(-1)}`;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components', '1']);
  rmSync(tarball);
}

function tableOf(figures) {
  const lines = [...figures].map(([figure, cells]) => {
    const shown = COLUMNS.map((name) => textOf(cells[name]));
    const others = PEERS.flatMap((name) => (cells[name] ? [median(cells[name])] : []));
    const ratio = others.length > 0 ? (median(cells.ours) / Math.min(...others)).toFixed(2) : '–';
    return [figure, ...shown, ratio];
  });
  const head = ['', ...COLUMNS, 'ours ÷ best peer'];
  const rule = head.map((_, nth) => (nth === 0 ? '---' : '--:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function textOf(numbers) {
  if (!numbers) return '–';
  const format = (number) => number.toLocaleString('en', { maximumSignificantDigits: 3 });
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map(format);
  return `${format(median(numbers))} (${least} to ${most})`;
}

function writeReadme(figures) {
  const file = `${BENCH}README.md`;
  const [day] = new Date().toISOString().split('T');
  const minutes = Math.ceil(performance.now() / 60_000);
  const machine = `${cpus().length} cores (${cpus()[0].model}), load average ${loadBefore.toFixed(1)} before`;
  const noise =
    loadBefore > QUIET ? ' Others used the machine, so do not quote these figures.' : '';
  const about = `Measured on ${day} in ${minutes} minutes: ${values.rounds} rounds, Node ${process.version}, ${machine}.${noise}`;
  const [begin, end] = ['<!-- begin: written by npm run bench -->', '<!-- end -->'];
  const written = `${begin}\n\n${about}\n\n${figures}\n\n${end}`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(RegExp(`${begin}.*${end}`, 's'), () => written),
  );
}
