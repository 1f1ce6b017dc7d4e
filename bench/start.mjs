// How long the command takes from its spawn to the readiness line, in ms.
//   npm run build && node bench/start.mjs [runs] [arguments of the command]
import { median, report, startCommand } from './command.mjs';

const [runs = 10, ...args] = process.argv.slice(2);
const timesMs = [];
for (let run = 0; run < Number(runs); run += 1) {
  const command = await startCommand(...args);
  timesMs.push(command.readyAfterMs);
  await command.stop();
}
const [least, middle, most] = [Math.min(...timesMs), median(timesMs), Math.max(...timesMs)];
report(
  ['spawn to ready', ...args].join(' '),
  `${middle.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}, ${runs} runs)`,
);
