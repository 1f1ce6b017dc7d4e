// Preloaded into the command, it makes intervals a hundredth as long: the state file is saved every
// 50 ms.
const timers = require('node:timers');

const { setInterval } = timers;

timers.setInterval = (act, intervalMs, ...rest) => setInterval(act, intervalMs / 100, ...rest);
