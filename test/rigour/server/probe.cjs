// Loaded into the process of the command with --require: says, when it is asked, what that process
// holds once garbage is collected. Its channel keeps the process from nothing.
const { readdirSync } = require('node:fs');
const { setTimeout: wait } = require('node:timers/promises');

process.on('message', async () => {
  // What only a finalizer releases goes with the second.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await wait(20);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const held = { rss, heapUsed, external };
  process.send({ ...held, resources: process.getActiveResourcesInfo(), files: openFiles() });
});
process.channel.unref();

/** How many files and sockets are open, where the system says so. */
function openFiles() {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
