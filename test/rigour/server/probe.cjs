// Loaded into the command's process with --require: reports on request what the process holds after
// garbage collection. Its channel does not keep the process alive.
const { readdirSync } = require('node:fs');
const { setTimeout: wait } = require('node:timers/promises');

process.on('message', async () => {
  // More than once, because finalizers release some objects only after the first time.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await wait(20);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const held = { rss, heapUsed, external };
  process.send({ ...held, resources: process.getActiveResourcesInfo(), files: openFiles() });
});
process.channel.unref();

/** How many files and sockets are open; only on systems that list them. */
function openFiles() {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
