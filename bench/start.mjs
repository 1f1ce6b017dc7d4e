// Prints how long the command takes from its spawn to the readiness line.
//   npm run build && node bench/start.mjs [runs]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const runs = Number(process.argv[2] ?? 10);
const timesMs = [];
for (let run = 0; run < runs; run += 1) {
  const startedAt = performance.now();
  const command = spawn(process.execPath, ['dist/cli.mjs', '--port', '0', ...process.argv.slice(3)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(createInterface(command.stdout), 'line');
  timesMs.push(performance.now() - startedAt);
  command.kill();
  await once(command, 'exit');
}
timesMs.sort((one, other) => one - other);
const [least, median, most] = [0, Math.floor(runs / 2), runs - 1].map((at) =>
  timesMs[at].toFixed(0),
);
console.log(
  `spawn to ready: median ${median} ms (${least} to ${most}, ${runs} runs, Node ${process.version})`,
);
