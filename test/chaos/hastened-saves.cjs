// Preloaded into the command, it shortens intervals to a hundredth: the state file is saved every
// 50 ms.
const timers = require('node:timers');

const { setInterval } = timers;

timers.setInterval = (act, intervalMs, ...rest) => setInterval(act, intervalMs / 100, ...rest);
