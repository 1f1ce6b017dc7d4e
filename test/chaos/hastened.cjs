// Preloaded into the command, it makes what happens at long intervals happen after a hundredth of the
// time: the state file is saved every 50 ms, and Node closes slow connections after 0.6 s and 3 s.
const http = require('node:http');
const timers = require('node:timers');

const TIMES = 100;
const { setInterval } = timers;
const { createServer } = http;

timers.setInterval = (act, intervalMs, ...rest) => setInterval(act, intervalMs / TIMES, ...rest);

http.createServer = (options, ...rest) => {
  const server = createServer({ ...options, connectionsCheckingInterval: 30_000 / TIMES }, ...rest);
  server.headersTimeout /= TIMES;
  server.requestTimeout /= TIMES;
  return server;
};
